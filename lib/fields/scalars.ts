import { type Column, isBinaryColumn, isIntegerColumn } from '../database/columns';
import { type JsonSchema, parseJson } from '../json/json';
import { toAscii } from './domainNames';
import { type Field, type FieldKind, type Filterable, plainField } from './Field';
import { type Integer, rawText, readInteger } from './raw';

/** A text. An empty one reads as null. */
export function text(description: string): Field<string, 'text'> {
  return plainField('text', { type: 'string', description }, readText, '');
}

function readText(raw: unknown): string | null {
  return rawText(raw) || null;
}

/** A list of texts, from a JSON array, or from text separated by commas, semicolons, white space or `|`. */
export function textList(description: string): Field<readonly string[]> {
  const schema = { type: 'array', items: { type: 'string' }, description };
  return plainField('list', schema, (raw) => readNames(raw), []);
}

/** Reads each name once. Of the two spellings of a domain name, it is the one in ASCII. */
export function readNames(raw: unknown, separator?: string): readonly string[] {
  const names = new Set(readTextList(raw, separator));
  return [...names].filter((name) => toAscii(name) === name || !names.has(toAscii(name)));
}

/** Members are texts and numbers. A value that is no list of these, such as JSON's null or an object, has none. */
export function readTextList(raw: unknown, separator: string | RegExp = /[\s,;|]+/): readonly string[] {
  const value = fromJson(raw);
  const members = Array.isArray(value) ? value : (memberText(value)?.split(separator) ?? []);
  return members.map((member) => memberText(member)?.trim() ?? '').filter((member) => member !== '');
}

/** The start of a text that may be JSON, except a number: a name may have digits alone. */
const JSON_START = /^\s*(?:[[{"]|(?:null|true|false)\s*$)/;

/** Not every database or driver reads the JSON in a column. */
function fromJson(raw: unknown): unknown {
  const text = raw instanceof Uint8Array ? rawText(raw) : raw;
  if (typeof text !== 'string' || !JSON_START.test(text)) return text;
  const value = parseJson(text);
  return value === undefined ? text : value;
}

function memberText(member: unknown): string | null {
  const isText = ['string', 'number', 'bigint'].includes(typeof member);
  return isText || member instanceof Uint8Array || member instanceof Date ? rawText(member) : null;
}

/** The value of a status-like field if the panel's row has none. */
const UNKNOWN_WORD = 'unknown';

/**
 * A status-like field. The panel's own words are shown unchanged, so the schema lists `words` as examples, not as an
 * enumeration. A mapping may only use these words or `unknown`.
 */
export function word<const W extends string>(
  description: string,
  words: readonly W[],
): Filterable<Field<string, 'word'>> & { readonly words: readonly (W | typeof UNKNOWN_WORD)[] } {
  return { ...openWord(description, words), words: [...words, UNKNOWN_WORD] };
}

/** A status-like field with an open set of words: a mapping may use others than these examples. */
export function openWord(
  description: string,
  examples: readonly string[] = [],
): Filterable<Field<string, 'word'>> {
  const schema = { type: 'string', description, examples: [...examples, UNKNOWN_WORD] };
  // As stored, including spaces, because a filter compares the column with exactly the word that is shown.
  return { ...plainField('word', schema, readText, UNKNOWN_WORD), unmapped: UNKNOWN_WORD, filterable: true };
}

/** A word from a closed set, which only the module chooses. */
export function oneOf<const W extends string>(description: string, words: readonly W[]): Field<W> {
  return plainField('word', { type: 'string', enum: words, description }, (raw) => {
    const text = rawText(raw);
    return words.find((word) => word === text) ?? null;
  });
}

export const TRUE_WORDS = new Set(['1', 'y', 'yes', 't', 'true', 'on', 'enabled', 'active']);
export const FALSE_WORDS = new Set(['0', 'n', 'no', 'f', 'false', 'off', 'disabled', 'inactive', '']);

/** A boolean, from a boolean, a number, a bit or a word such as `y` and `No`. */
export function flag(description: string): Filterable<Field<boolean, 'flag'>> {
  return { ...plainField('flag', { type: 'boolean', description }, readFlag, false), filterable: true };
}

export function readFlag(raw: unknown): boolean | null {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw === 'number' || typeof raw === 'bigint') return raw !== 0 && raw !== 0n;
  // So PostgreSQL writes booleans.
  if (raw === 't' || raw === 'f') return raw === 't';
  // Drivers return BIT(1) as one byte.
  if (raw instanceof Uint8Array && raw.length === 1 && (raw[0] ?? 0) < 2) return raw[0] === 1;
  const word = rawText(raw)?.trim().toLowerCase();
  if (word === undefined) return null;
  // PostgreSQL's driver returns numbers as text.
  if (/^[+-]?\d+(?:\.\d*)?$/.test(word)) return Number(word) !== 0;
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

/** A whole number that may need more than 32 bits. */
export const INT64 = { type: 'integer', format: 'int64' } as const;

export type Id = Integer | string;

/**
 * A key: an integer if the panel's column is one, otherwise a string. `refersTo` names the list that the id refers to,
 * if it is another one.
 */
export function id(description: string, refersTo?: string): Filterable<Field<Id, 'id'>> {
  const schemaOf = (column: Column): JsonSchema => ({
    ...(isIntegerColumn(column) ? INT64 : { type: 'string' }),
    description,
  });
  return {
    kind: 'id',
    schema: { type: ['integer', 'string'], description },
    schemaOf,
    reader: (column) => {
      // An empty reference refers to no row.
      const textOf = refersTo === undefined ? rawText : readText;
      if (column) return isIntegerColumn(column) ? readWhole : textOf;
      return (raw) => (typeof raw === 'number' || typeof raw === 'bigint' ? readWhole : textOf)(raw);
    },
    refuses: (column) =>
      isBinaryColumn(column) ? `has the type ${column.type}, but must be an integer or text` : undefined,
    required: false,
    filterable: true,
    ...(refersTo === undefined ? {} : { refersTo }),
  };
}

/** A key that is an integer in every panel. */
export function integerId(description: string): Filterable<Field<Integer, 'id'>> {
  return {
    ...plainField('id', { ...INT64, description }, readWhole),
    refuses: (column) =>
      isIntegerColumn(column)
        ? undefined
        : `has ${column.type ? `the type ${column.type}` : 'no type'}, but must be an integer: of a text, such as a UUID, say \`number: true\``,
    filterable: true,
  };
}

// What is left of a number that has lost digits or its fraction would be another row's id. SQLite can store fractions and
// bytes in columns of whole numbers.
function readWhole(raw: unknown): Integer | null {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? raw : null;
  return raw instanceof Uint8Array ? null : readInteger(raw);
}

export function integer(description: string): Field<Integer, 'number'> {
  return plainField('number', { ...INT64, description }, readInteger);
}

/** A whole number of at least zero. A negative one, which means "no limit" in many panels, reads as null. */
export const count = countOf('number');

/** A size in bytes. Fractions are rounded. */
export const bytes = countOf('bytes', rounded);

export const milliseconds = countOf('milliseconds');

function countOf<K extends FieldKind>(kind: K, round = (raw: unknown) => raw) {
  const readCount = (raw: unknown): Integer | null => {
    const value = readInteger(round(raw));
    return value === null || value < 0 ? null : value;
  };
  return (description: string) => plainField(kind, { ...INT64, minimum: 0, description }, readCount);
}

/** Rounds a number and a decimal in text. */
function rounded(raw: unknown): unknown {
  if (typeof raw === 'number') return Math.round(raw);
  const [, whole, fraction] =
    (typeof raw === 'string' && /^\s*\+?(\d{1,40})\.([5-9])\d*\s*$/.exec(raw)) || [];
  return fraction === undefined ? raw : BigInt(whole ?? 0) + 1n;
}

export function number(description: string): Field<number, 'number'> {
  return plainField('number', { type: 'number', description }, readNumber);
}

/** A percentage from 0 to 100. A value outside becomes the nearer bound. */
export function percent(description: string): Field<number, 'number'> {
  const schema = { type: 'number', minimum: 0, maximum: 100, description };
  return plainField('number', schema, (raw: unknown) => {
    const value = readNumber(raw);
    return value === null ? null : Math.min(100, Math.max(0, value));
  });
}

function readNumber(raw: unknown): number | null {
  const text = rawText(raw)?.trim();
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}
