import { type Column, isTimeColumn } from '../../database/columns';
import { rawText } from '../../fields/raw';
import { readColumnTime, readTime } from '../../fields/times';
import { wholeSeconds } from '../../time/time';

/** A column value with a special meaning, compared as text: `0`, `'0'` and `false` are the same. */
export type Sentinel = string | number | bigint | boolean;

type Sentinels = Sentinel | readonly Sentinel[];

/** Returns every spelling of these values in a column. */
export function sentinelTexts(sentinels: Sentinels = []): ReadonlySet<string> {
  return new Set([sentinels].flat().flatMap((sentinel) => spellings(String(sentinel))));
}

/** Returns a function that says whether a raw value of the column is one of them. */
export function sentinelTest(sentinels: Sentinels | undefined, column: Column): (raw: unknown) => boolean {
  const texts = sentinelTexts(sentinels);
  const isOne = (raw: unknown) => {
    const text = rawText(raw);
    return text !== null && spellings(text).some((spelt) => texts.has(spelt));
  };
  if (!isTimeColumn(column)) return isOne;
  // Each database returns times in its own form. A time of zeros reads as null.
  const hasZero = [...texts].some((text) => ZERO.test(text));
  const times = new Set([...texts].map(secondOf).filter((time) => time !== null || hasZero));
  return (raw) =>
    isOne(raw) || (raw !== null && raw !== undefined && times.has(wholeSeconds(readColumnTime(raw))));
}

const secondOf = (text: string) => wholeSeconds(readTime(text));

const ZERO = /^0$|^0000-00-00/;

// Databases and drivers have three spellings for each boolean.
const BOOLEANS = [
  ['true', '1', 't'],
  ['false', '0', 'f'],
];

// The most decimals in MariaDB.
const MOST_DECIMALS = 38;
const WHOLE = new RegExp(`^(-?\\d+)\\.0{0,${MOST_DECIMALS}}$`);

/** Returns the text and all other spellings of the same boolean; a decimal without a fraction as a whole number. */
export function spellings(text: string): readonly string[] {
  const plain = text.replace(WHOLE, '$1');
  return [
    plain,
    ...(BOOLEANS.find((spelt) => spelt.includes(plain)) ?? []).filter((spelt) => spelt !== plain),
  ];
}

/** Returns the text and, if it is a whole number, all decimals that `spellings` treats as the same. */
export function withDecimals(text: string): readonly string[] {
  if (!/^-?\d+$/.test(text)) return [text];
  return [text, ...Array.from({ length: MOST_DECIMALS + 1 }, (_, zeros) => `${text}.${'0'.repeat(zeros)}`)];
}
