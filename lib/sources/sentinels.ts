import { rawText } from '../fields/rawText';
import type { Sentinel } from './SourceOptions';
import { spellings } from './spellings';

/** Every spelling of the sentinels, as they may come out of a column. */
export function sentinelTexts(sentinels: Sentinel | readonly Sentinel[] | undefined): ReadonlySet<string> {
  const several = sentinels === undefined ? [] : [sentinels].flat();
  return new Set(several.flatMap((sentinel) => spellings(String(sentinel))));
}

/** Whether a raw value is one of the sentinels. */
export function isSentinel(texts: ReadonlySet<string>, raw: unknown): boolean {
  const text = rawText(raw)?.trim();
  return text !== undefined && spellings(text).some((spelt) => texts.has(spelt));
}
