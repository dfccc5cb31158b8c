import { ALWAYS, type Column, isIntegerColumn, isNumberColumn } from '../../database/columns';
import { FALSE_WORDS, type Field, HAVE_RANGES, readNames, TRUE_WORDS } from '../../fields';
import { type Integer, rawText, readInteger } from '../../fields/raw';
import type { TIME_FORMS } from '../../time/time';
import type { TimeFormat } from '../../time/timeFormat';
import { aFunction, aText, aWordOf, isTrue, recordOf, type Validator } from '../validators';
import { isWanted, numberRange, type RequiredWords } from './conditions';
import {
  type Confirmable,
  closedWords,
  type Mapped,
  mappedValue,
  type Only,
  sentinels,
  unmappedValue,
  type ValueOf,
} from './description';
import type { FieldPlan } from './FieldPlan';
import { type RawValue, rawValue, resultReader } from './results';
import { type Sentinel, sentinelTest, sentinelTexts, spellings } from './sentinels';
import { aTimeForm, aZone, columnTimeReader, timeRange } from './time';

/** Reads a field from one column. */
export interface ColumnSource<F extends Field = Field> extends Confirmable {
  /** The column, in a query `alias.column`. Default: the field's name. */
  readonly column?: string;
  /** Values of the column that mean null, such as no parent, no limit or never. They are checked first. */
  readonly null?: Sentinel | readonly Sentinel[];
  /** For ids: the part of a list that the id refers to, from 0, if the list has several parts. */
  readonly part?: Integer extends ValueOf<F> ? number : never;
  /** Returns the field's value for a column value. The field then cannot be filtered. */
  readonly from?: (raw: RawValue) => unknown;
  /** Maps the panel's words, compared as text, to the API's. */
  readonly values?: Readonly<Record<string, Mapped<F> | null>>;
  /** The value for all other words. Default: `unknown` if the field has words, otherwise null. */
  readonly otherwise?: Mapped<F> | null;
  /** For fields that are true or false: the column values that mean true. All others, NULL included, mean false. */
  readonly true?: Only<F, boolean, Sentinel | readonly Sentinel[]>;
  /** For sizes and durations: the unit of the column. Default: the field's unit. */
  readonly unit?: Only<F, Integer, 'KB' | 'MB' | 'GB' | 'TB' | 'text' | 'seconds' | 'minutes'>;
  /**
   * For ids: reads whole numbers from a column of decimals or texts, or an untyped column of SQLite. Any other value
   * (`007`, `1.5`) reads as null. A column of texts then cannot be the key.
   */
  readonly integer?: Integer extends ValueOf<F> ? true : never;
  /** For the id of a domain: derives a whole number from a key of text, such as a UUID. */
  readonly number?: 'id' extends F['kind'] ? Only<F, Integer, true> : never;
  /** For lists: the text between two members. Default: commas, semicolons, white space or `|`. */
  readonly separator?: Only<F, readonly string[], string>;
  /** For times: the form of the column's values, or a format of theirs. Default: recognized for each value. */
  readonly time?: Only<F, string, (typeof TIME_FORMS)[number] | TimeFormat>;
  /** For times: the IANA time zone of values without a zone. Default: UTC. */
  readonly zone?: Only<F, string, string>;
}

/** A way to read a column's values. @internal */
export interface ColumnReader {
  /** The validator of each keyword, first of the one that asks for it; none if the field cannot be read in this way. */
  keywords(field: Field): Readonly<Record<string, Validator>>;
  plan(
    parts: { readonly name: string; readonly field: Field; readonly column: Column },
    source: ColumnSource,
  ): Pick<FieldPlan, 'read' | 'words' | 'range' | 'search'> & {
    /** What a whole number of the column is multiplied by, for sizes. */
    readonly factor?: number;
    /** The column as it is read and compared, if that differs from the live one. */
    readonly column?: Column;
    /** The column whose values the field shows. Default: that column; null if the field shows other values. */
    readonly shown?: Column | null;
    /** Returns the column's words for a filter; null if the field cannot be filtered. Default: the same words. */
    readonly asked?: AskedWords | null;
    /** The panel's words that the description names, except those that mean null. */
    readonly named?: readonly string[];
    /** Whether the column should contain no other words. */
    readonly namesAll?: boolean;
    /** Why the column cannot supply the field, as the end of a sentence; null if it can. Default: the field decides. */
    readonly refused?: string | null;
  };
}

/** Returns the words with which a row can match; with `none`, also those for which the field is null. */
export type AskedWords = (wanted: ReadonlySet<string>, none: boolean) => RequiredWords;

/** The ways to read a column. A description uses the first one that it asks for. */
const READERS: readonly ColumnReader[] = [
  {
    keywords: () => ({ from: aFunction }),
    plan({ name, field, column }, { from = () => null }) {
      const value = rawValue(column);
      const read = resultReader(name, field);
      return { read: (raw) => read(from(value(raw))), shown: null, asked: null, refused: null };
    },
  },
  {
    keywords: (field) => ({ values: recordOf(mappedValue(field)), otherwise: mappedValue(field) }),
    plan({ field }, source) {
      const { values = {}, otherwise } = source;
      const unmapped = unmappedValue(field, source);
      const named = Object.keys(values);
      const translated = new Map(named.map((word) => [word, field.reader()(values[word])]));
      const read = (raw: unknown) => {
        const text = rawText(raw);
        // Unless the description names it, an empty text is no word that it does not know.
        if (text === null || (text === '' && otherwise === undefined && !translated.has(''))) return null;
        const spelling = spellings(text).find((spelt) => translated.has(spelt)) ?? text;
        return translated.has(spelling) ? translated.get(spelling) : unmapped;
      };
      const texts = [...new Set(named.flatMap((word) => [...spellings(word), word]))];
      return {
        read,
        shown: null,
        asked(wanted, none) {
          const negated = isWanted(unmapped, wanted, none);
          return { words: texts.filter((text) => isWanted(read(text), wanted, none) !== negated), negated };
        },
        named,
        namesAll: otherwise === undefined,
        // The column may be NULL.
        words: closedWords(field, [...translated.values(), unmapped, null]),
      };
    },
  },
  {
    keywords: ({ kind }) => (kind === 'flag' ? { true: sentinels } : {}),
    plan: ({ column }, { true: yes }) => ({
      read: sentinelTest(yes, column),
      // All other words and NULL mean false.
      asked(wanted) {
        const isFalse = wanted.has('false');
        const words = isFalse && wanted.has('true') ? [] : [...sentinelTexts(yes)];
        return { words, negated: isFalse, orNull: isFalse };
      },
      named: [yes ?? []].flat().map(String),
    }),
  },
  {
    keywords: ({ kind }) => (UNITS[kind] ? { unit: aWordOf(Object.keys(UNITS[kind])) } : {}),
    plan({ field, column }, { unit = 'MB' }) {
      const factor = UNITS[field.kind]?.[unit] ?? 1;
      const [read, amount] = [field.reader(), amountReader(unit, factor)];
      return { read: (raw) => read(amount(raw)), range: numberRange(column, field, factor), factor };
    },
  },
  {
    keywords: ({ kind }) => (kind === 'id' ? { integer: isTrue } : {}),
    plan({ name, column: found }) {
      // SQLite can compare and sort an untyped column by its value.
      const isUntyped = found.type === '';
      const column = isUntyped ? { ...found, type: 'integer' } : found;
      // Filters compare a column of texts by its digits, and one of numbers by value.
      const whole = isNumberColumn(column) ? /^-?\d+(?:\.0*)?$/ : /^(?:0|-?[1-9]\d*)$/;
      return {
        column,
        shown: { ...column, type: 'bigint' },
        refused: sayNotWhole(column, name === 'id'),
        read(raw) {
          // No page could begin after a text among numbers.
          if (isUntyped && typeof raw === 'string') return null;
          return whole.test(rawText(raw) ?? '') ? readInteger(raw) : null;
        },
      };
    },
  },
  {
    // Of those ids alone that must be whole numbers. The numbers are derived where ids are converted.
    keywords: ({ kind, schema }) => (kind === 'id' && schema.type === 'integer' ? { number: isTrue } : {}),
    plan: ({ column }) => ({
      read: rawText,
      refused: isIntegerColumn(column) ? `has the type ${column.type}: leave \`number\` out` : null,
    }),
  },
  {
    keywords: ({ kind }) => (kind === 'list' ? { separator: aText } : {}),
    plan: (_parts, { separator }) => ({ read: (raw) => readNames(raw, separator) }),
  },
];

/** Reads a field of times, with or without keywords. */
const TIME: ColumnReader = {
  keywords: ({ kind }) => (kind === 'time' ? { time: aTimeForm, zone: aZone } : {}),
  plan({ field: { isExpiry = false }, column }, { time, zone }) {
    const times = { ...column, form: time, zoned: zone !== undefined };
    return { read: columnTimeReader(times, zone, isExpiry), range: timeRange(times, isExpiry) };
  },
};

/** Reads the column as the field itself does. */
const PLAIN: ColumnReader = {
  keywords: () => ({}),
  plan: ({ field, column }) => ({
    read: field.reader(column),
    factor: 1,
    ...(field.kind === 'flag' ? { asked: flagWords } : {}),
    search:
      field.searchable &&
      // Bytes that are no text are read as this character.
      ((text, dialect) => (text.includes('\u{fffd}') ? ALWAYS : dialect.beginsWith(column, text))),
    range: HAVE_RANGES.has(field.kind) ? numberRange(column, field) : undefined,
  }),
};

/** The validators of the keywords of each way to read a column of this field. */
export function readerKeywords(field: Field): readonly Readonly<Record<string, Validator>>[] {
  return [...READERS, TIME].map(({ keywords }) => keywords(field));
}

/** The way to read a column that its description asks for. @internal */
export function readerOf(field: Field, source: ColumnSource): ColumnReader {
  const isAsked = ({ keywords }: ColumnReader) => {
    const [keyword = ''] = Object.keys(keywords(field));
    return source[keyword as keyof ColumnSource] !== undefined;
  };
  return READERS.find(isAsked) ?? (field.kind === 'time' ? TIME : PLAIN);
}

/** The words for a filter if some words mean true, some mean false, and all others null. */
const flagWords: AskedWords = (wanted, none) => {
  if (wanted.has('true')) return { words: wanted.has('false') ? [] : FALSE_SPELLINGS, negated: true };
  return { words: TRUE_SPELLINGS, negated: true, orNull: none };
};

const [TRUE_SPELLINGS, FALSE_SPELLINGS] = [TRUE_WORDS, FALSE_WORDS].map((words) =>
  [...words].flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]),
) as [string[], string[]];

// Texts are sorted digit by digit: 10 before 9.
function sayNotWhole(column: Column, isKey: boolean): string | null {
  const { type } = column;
  if (/^(?:decimal|numeric)/.test(type) || isIntegerColumn(column)) return null;
  if (!/char|text|enum/.test(type) || type.endsWith('[]'))
    return `has the type ${type}, which cannot contain whole numbers`;
  return isKey
    ? `has the type ${type}, which does not sort whole numbers by value: cast it to an integer in a view`
    : null;
}

/**
 * The unit of a column. KB, MB, GB and TB are powers of 1024, as panels use them. With `text`, each value names its own
 * (`1.5 GiB`) or is in bytes.
 */
type Unit = NonNullable<ColumnSource['unit']>;

/** The units that columns of a kind of field may have, as multiples of the field's unit; none for other kinds. */
const UNITS: Readonly<Record<string, Readonly<Partial<Record<Unit, number>>>>> = {
  bytes: { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40, text: 1 },
  milliseconds: { seconds: 1000, minutes: 60_000 },
};

/** Returns the reader of numbers with this unit as whole ones of the field's unit; null for what is none. */
function amountReader(unit: Unit, factor: number): (raw: unknown) => bigint | number | null {
  return (raw) => {
    const text = rawText(raw)?.trim() ?? '';
    const decimal = DECIMAL.exec(text);
    if (decimal) return scaled(decimal, BigInt(factor));
    const written = unit === 'text' ? WITH_UNIT.exec(text) : null;
    if (written) return scaled(written, 1024n ** BigInt(LETTERS.indexOf(written[4]?.toUpperCase() ?? '')));
    const number = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(number) ? Math.round(number * factor) : null;
  };
}

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?$/;
const WITH_UNIT = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?\s*(?:([KMGTP])?(?:i?B)?|bytes?)$/i;
/** The first letters of the units, each 1,024 times the one before it. */
const LETTERS = ['', 'K', 'M', 'G', 'T', 'P'];

/** Multiplies the decimal by the factor exactly, and rounds the result. */
function scaled([, sign = '', whole = '', fraction = '']: readonly string[], factor: bigint): bigint {
  const one = 10n ** BigInt(fraction.length);
  const rounded = (2n * BigInt(whole + fraction) * factor + one) / (2n * one);
  return sign === '-' ? -rounded : rounded;
}
