import type { ApiError } from '../lib/errors/ApiError';

/** The most bytes of an answer. */
export const MOST_SENT = 40 * 1024;

/** The most bytes of a tool's result. The rest is for the message around it. */
const MOST_BYTES = MOST_SENT - 1024;

/** The most characters of a value, and the most values of a list. */
const LONGEST = 300;
const MOST_VALUES = 20;

/** The result of a call, as the protocol has it. */
export interface ToolResult {
  [member: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/**
 * Returns the result of a tool, with at most MOST_BYTES. `make` is called with how many entries it may have of each
 * kind, and called again with fewer while the result is too long.
 */
export async function boundedResult(
  entries: number,
  make: (entries: number) => Promise<object>,
): Promise<ToolResult> {
  let most = entries;
  let longest = LONGEST;
  for (;;) {
    const data = cleaned(await make(most), longest) as Record<string, unknown>;
    const result = {
      content: [{ type: 'text' as const, text: JSON.stringify(data) }],
      structuredContent: data,
    };
    const bytes = Buffer.byteLength(JSON.stringify(result));
    if (bytes <= MOST_BYTES) return result;
    if (most > 1) most = Math.max(1, Math.min(most - 1, Math.floor((most * MOST_BYTES) / bytes)));
    else longest = Math.floor(longest / 2);
  }
}

/** The result of a call that was refused: the sentence of the error, and what would help. */
export function refusedResult({ message, details }: ApiError): ToolResult {
  const { supported, required_scope: scope } = details;
  const help = [
    supported && (supported.length > 0 ? `Possible: ${supported.join(', ')}.` : 'There are none.'),
    scope !== undefined && `An administrator of the panel can create a token with ${scope}.`,
  ];
  const text = cleanText([message, ...help].filter(Boolean).join(' '), 4 * LONGEST);
  return { content: [{ type: 'text', text }], isError: true };
}

/** Returns a value with clean texts, cut, and with integers that JSON cannot hold exactly as texts. */
function cleaned(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return cleanText(value, longest);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return cleanedList(value, longest);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one, longest)]));
}

// Lists of objects are the tools' own, which `make` makes shorter.
function cleanedList(values: readonly unknown[], longest: number): readonly unknown[] {
  const isLong = values.length > MOST_VALUES && typeof values[0] === 'string';
  const shown = (isLong ? values.slice(0, MOST_VALUES) : values).map((one) => cleaned(one, longest));
  return isLong ? [...shown, `… (${values.length} values)`] : shown;
}

// Characters that are not shown can hide instructions from people: tags, variation selectors, marks of direction.
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A text in one line, without control and invisible characters; one that is too long is cut, with its length. */
function cleanText(text: string, longest: number): string {
  const clean = text.toWellFormed().replace(BREAKS, ' ').replace(INVISIBLE, '');
  if (clean.length <= longest) return clean;
  return `${clean.slice(0, longest).toWellFormed()}… (${clean.length.toLocaleString('en')} characters)`;
}
