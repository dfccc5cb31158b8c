import { type Column, isTimeColumn } from '../database/columns';
import { rawText } from '../fields/raw';
import { readTime } from '../fields/times';
import { readColumnTime } from './readColumnTime';
import type { Sentinel } from './SourceOptions';
import { spellings } from './spellings';

type Sentinels = Sentinel | readonly Sentinel[];

/** Every spelling of the sentinels, as they may come out of a column. */
export function sentinelTexts(sentinels: Sentinels | undefined): ReadonlySet<string> {
  const several = sentinels === undefined ? [] : [sentinels].flat();
  return new Set(several.flatMap((sentinel) => spellings(String(sentinel))));
}

/** What tells whether a raw value of the column is one of the sentinels. */
export function sentinelTest(sentinels: Sentinels, column: Column): (raw: unknown) => boolean {
  const texts = sentinelTexts(sentinels);
  const isOne = (raw: unknown) => {
    const text = rawText(raw);
    return text !== null && spellings(text).some((spelt) => texts.has(spelt));
  };
  if (!isTimeColumn(column)) return isOne;
  // Each database gives a time in a form of its own, and one that is all zeros reads as none.
  const hasZero = [...texts].some((text) => ZERO.test(text));
  const times = new Set([...texts].map(readTime).filter((time) => time !== null || hasZero));
  return (raw) => isOne(raw) || (raw !== null && raw !== undefined && times.has(readColumnTime(raw)));
}

const ZERO = /^0$|^0000-00-00/;
