import type { Knex } from 'knex';
import { DAY_SECONDS, FIRST_MILLISECONDS, LAST_SECOND } from '../../time/time';
import {
  ALWAYS,
  allOf,
  anyOf,
  type Bounds,
  type Comparison,
  type SqlCondition,
  type TimeColumn,
} from '../columns';

/** Compares a column as it is with the text as it is. */
export const asText = (right = '?', left = '??'): Comparison => ({
  left,
  right,
  bind: (text) => text,
  isText: true,
});

/** Compares the text that the database itself writes for the values of a column. */
export const asWritten = (left: string): Comparison => ({ ...asText('?', left), keySql: left });

/** Compares a column of numbers with a text that writes one, however many zeros end its fraction. */
export const asNumber = (right = '?', left = '??'): Comparison => ({
  left,
  right,
  bind: (text) => (/^[+-]?\d+(?:\.\d+)?$/.test(text) ? text : undefined),
});

const SIGNED_LIMIT = 2n ** 63n;

/** Compares a column of whole numbers of at most 64 bits. A `limit` of 2^64 is for columns that may have no sign. */
export const asInteger = (right = '?', limit = SIGNED_LIMIT): Comparison => ({
  left: '??',
  right,
  bind: (text) => bindInteger(text, limit),
});

/** The whole number that a text writes, if it has at most 64 bits and is below the limit. */
export function bindInteger(text: string, limit = SIGNED_LIMIT): Knex.RawBinding | undefined {
  if (!/^-?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  if (value >= limit || value < -SIGNED_LIMIT) return undefined;
  const number = Number(value);
  // knex's types know no bigint; the drivers do.
  return Number.isSafeInteger(number) ? number : (value as unknown as number);
}

/** The condition that a column is neither below nor above the bounds. */
export function between(name: string, { from, to }: Bounds<Knex.RawBinding>, right = '?'): SqlCondition {
  const bound = (operator: string, value: Knex.RawBinding) =>
    value === null ? [] : [{ sql: `?? ${operator} ${right}`, bindings: [name, value] }];
  return allOf([...bound('>=', from), ...bound('<=', to)]);
}

/** The bounds for a column of whole numbers of at most 64 bits, which may have no sign. */
export function wholeBounds({ from, to }: Bounds): Bounds<Knex.RawBinding> {
  const [least, most] = [
    from === null ? null : wholeOf(from, Math.ceil),
    to === null ? null : wholeOf(to, Math.floor),
  ];
  return {
    from:
      least === null ? null : (bindInteger(String(least)) ?? (least < 0n ? null : Number.MAX_SAFE_INTEGER)),
    to: most === null ? null : (bindInteger(String(most)) ?? (most < 0n ? Number.MIN_SAFE_INTEGER : null)),
  };
}

function wholeOf(bound: number | bigint, round: (bound: number) => number): bigint {
  return typeof bound === 'bigint' ? bound : BigInt(round(bound));
}

/** Times as `2026-06-12 00:00:00` in UTC; `slack` is for columns whose texts are times of other zones. */
export function timeTexts({ from, to }: Bounds<number>, slack = 0): Bounds<string> {
  const text = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return { from: from === null ? null : text(from - slack), to: to === null ? null : text(to + slack) };
}

/** The condition that a column of dates or times, written as text with the day first, is between these times. */
export function writtenTimes({ name, type, form }: TimeColumn, times: Bounds<number>): SqlCondition {
  if (form === 'date' || form === 'datetime') return between(name, dayTexts(times));
  // Without a declared form the texts may be numbers too, which sort elsewhere.
  const [, separator] = (/char|text/.test(type) && DAY_FIRST.exec(form ?? '')) || [];
  return separator === undefined ? ALWAYS : between(name, dayTexts(times, separator));
}

/** The formats of which the texts sort by the day. */
const DAY_FIRST = /^YYYY([^A-Za-z\s[]?)MM\1DD/;

/** The days on which a text in any zone may begin. */
export function dayTexts(times: Bounds<number>, separator = '-'): Bounds<string> {
  const { from, to } = timeTexts(times, 2 * DAY_SECONDS);
  const day = (text: string | null) => text?.slice(0, 10).replaceAll('-', separator) ?? null;
  return { from: day(from), to: day(to) };
}

/** The condition that a column of unix times, in seconds or milliseconds, is between these times. */
export function unixTimes(
  { name, form }: TimeColumn,
  { from, to }: Bounds<number>,
  right = '?',
): SqlCondition {
  // The numbers of a format, such as YYYYMMDD, may be of any length.
  if (form?.includes('YYYY')) return ALWAYS;
  const [first, last] = [from ?? 0, to ?? LAST_SECOND];
  if (form === 'unix') return between(name, { from, to: last }, right);
  if (form === 'unix-ms') return between(name, { from: from && first * 1000, to: last * 1000 }, right);
  // Seconds or milliseconds: readTime distinguishes them by the same limit.
  return anyOf([
    between(name, { from, to: Math.min(last, FIRST_MILLISECONDS) }, right),
    between(name, { from: Math.max(first * 1000, FIRST_MILLISECONDS), to: last * 1000 }, right),
  ]);
}

/** The condition that a text begins with this one; `right` is the SQL of the pattern. */
export function like(name: string, beginning: string, right = '?', left = '??'): SqlCondition {
  // No mode of a database gives this character a meaning of its own.
  const pattern = `${beginning.replace(/[%_!]/g, '!$&')}%`;
  return { sql: `${left} LIKE ${right} ESCAPE '!'`, bindings: [name, pattern] };
}

/**
 * The beginnings of all texts that begin with this one, whatever the case of its letters A to Z: each letter doubles
 * them, and the text is cut off before there are more than `most`.
 */
export function beginningsOf(text: string, most = 16): readonly string[] {
  let beginnings = [''];
  for (const character of text) {
    const cases = /[a-z]/i.test(character) ? [character.toLowerCase(), character.toUpperCase()] : [character];
    if (beginnings.length * cases.length > most) break;
    beginnings = beginnings.flatMap((beginning) => cases.map((one) => beginning + one));
  }
  return beginnings;
}
