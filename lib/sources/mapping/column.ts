import {
  type Column,
  ignoresCase,
  isIntegerColumn,
  isNumberColumn,
  isTimeColumn,
} from '../../database/columns';
import type { Field } from '../../fields';
import { rawText, readInteger } from '../../fields/raw';
import { FALSE_WORDS, TRUE_WORDS } from '../../fields/scalars';
import { timeReader, zonedReader } from '../../fields/times';
import { ListIds } from '../ids';
import type { ColumnSource } from '../SourceOptions';
import { plainResult, rawValue, takesLists } from './computed';
import {
  cell,
  type FieldParts,
  type FieldPlan,
  mayBeNone,
  type Narrow,
  type PlannedField,
  type Translation,
} from './FieldPlan';
import { readColumnTime, sentinelTest, sentinelTexts, spellings } from './sentinels';
import { scaledReader, unitFactor } from './unit';
import { closedWords, uncoveredValue, wordReader } from './words';

/** A field that is read from one column. */
export function planColumn({ name, field, columns, ids }: FieldParts, source: ColumnSource): FieldPlan {
  const reference = source.column ?? name;
  const found = columns.find(reference);
  if (!found) return { absent: [reference] };
  // SQLite compares and sorts what has no type by its value if it is asked to.
  const column = source.integer && found.type === '' ? { ...found, type: 'integer' } : found;
  const refused = source.integer
    ? refusesWhole(column, name === 'id')
    : source.from
      ? undefined
      : field.refuses?.(column);
  const part = ids.partOf(name, field, source.part);
  const position = columns.select(column);
  // A text among numbers cannot be gone on behind.
  const read = columnReader(field, column, source);
  const narrow = narrowing(field, column, source);
  const isPlain = !source.from && !source.values;
  const isTime = isPlain && field.kind === 'time';
  return {
    name,
    field,
    positions: [position],
    read: readerAt(
      position,
      found === column ? read : (raw) => (typeof raw === 'string' ? null : read(raw)),
      part,
    ),
    ...(source.values && !source.from ? { words: closedWords(field, mappedWords(field, source)) } : {}),
    ...(isPlain ? { column: source.integer ? { ...column, type: 'bigint' } : column } : {}),
    ...(narrow ? { narrow: (wanted) => narrow(ListIds.toPanel(wanted, part)) } : {}),
    ...(refused === undefined ? {} : { refused: `The column ${columns.say(column)} ${refused}.` }),
    ...(isTime ? { changes: { column, form: source.time, zoned: source.zone !== undefined } } : {}),
    inputs: source.values ? [] : [{ position, isNone: sentinelTest(source.null ?? [], column) }],
    translations: translations(name, field, column, source),
  };
}

function readerAt(
  position: number,
  read: (raw: unknown) => unknown,
  part: number | null,
): PlannedField['read'] {
  const key = cell(position);
  if (part === null) return (raw) => read(raw[key]);
  return (raw) => ListIds.toList(read(raw[key]), part);
}

// A column may be NULL.
function mappedWords(field: Field, source: ColumnSource): readonly unknown[] {
  return [...Object.values(source.values ?? {}).map(field.reader()), uncoveredValue(field, source), null];
}

// Texts sort digits by digits, so that 10 would come before 9.
function refusesWhole({ type }: Column, isKey: boolean): string | undefined {
  if (/^(?:decimal|numeric)/.test(type) || isIntegerColumn({ name: '', type })) return undefined;
  if (!/char|text|enum/.test(type) || type.endsWith('[]')) return `is ${type} and cannot hold whole numbers`;
  return isKey ? `is ${type}, which does not sort whole numbers by value: cast it in a view` : undefined;
}

function translations(
  name: string,
  field: Field,
  column: Column,
  source: ColumnSource,
): readonly Translation[] {
  const { values = {}, null: none = [], true: yes = [] } = source;
  const words = new Set([...Object.keys(values), ...[none].flat().map(String), ...[yes].flat().map(String)]);
  const isPartial = !source.values || source.otherwise !== undefined;
  const isOpen = field.kind !== 'word' && field.kind !== 'flag';
  return !isPartial || ignoresCase(column) ? [{ field: name, column, words, isPartial, isOpen }] : [];
}

type Read = (raw: unknown) => unknown;

/** How a field is read from a column as the panel describes it. */
function columnReader(field: Field, column: Column, source: ColumnSource): Read {
  const read = describedReader(field, column, source);
  if (source.null === undefined) return read;
  const isNone = sentinelTest(source.null, column);
  return (raw) => (isNone(raw) ? null : read(raw));
}

function describedReader(field: Field, column: Column, source: ColumnSource): Read {
  const made = field.reader();
  if (source.from) {
    const { from } = source;
    const value = rawValue(column);
    const list = takesLists(field);
    return (raw) => made(plainResult(from(value(raw)), list));
  }
  if (source.values) return wordReader(field, source);
  if (source.true !== undefined) {
    return sentinelTest(source.true, column);
  }
  if (source.unit) return scaledReader(field, unitFactor(field.kind, source.unit));
  if (source.integer) return wholeReader(column);
  if (source.separator !== undefined) {
    const { separator } = source;
    return (raw) => made(rawText(raw)?.split(separator) ?? null);
  }
  return field.kind === 'time' ? describedTimeReader(column, source) : field.reader(column);
}

// A filter asks a column of texts for the very digits, and one of numbers for their value.
function wholeReader(column: Column): Read {
  const whole = isNumberColumn(column) ? /^-?\d+(?:\.0*)?$/ : /^(?:0|-?[1-9]\d*)$/;
  return (raw) => (whole.test(rawText(raw) ?? '') ? readInteger(raw) : null);
}

function describedTimeReader(column: Column, { time, zone }: ColumnSource): Read {
  // A column of times comes in one form, whatever the panel calls it.
  const read = isTimeColumn(column) ? readColumnTime : timeReader(time);
  const isInstant = /^timestamp(?: with time zone)?$/.test(column.type);
  if (zone === undefined || isInstant) return read;
  const zoned = zonedReader(read, zone);
  // PostgreSQL gives what a clock shows as seconds, in text; every other number is a moment and knows no zone.
  const isMoment = isTimeColumn(column)
    ? (raw: unknown) => typeof raw !== 'string'
    : (raw: unknown) => /^[+-]?\d+(?:\.\d+)?$/.test(rawText(raw)?.trim() ?? '');
  return (raw) => (isMoment(raw) ? read(raw) : zoned(raw));
}

/** What a column must hold, or with `negated` must not hold. */
interface Words {
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL reads as a value that passes. */
  readonly orNull?: boolean;
}

/** The words under which a row may pass; with `none`, those under which the field holds nothing are among them. */
type ColumnWords = (wanted: ReadonlySet<string>, none: boolean) => Words;

/** How a filter on a field is asked of its column; undefined where it cannot be. */
function narrowing(field: Field, column: Column, source: ColumnSource): Narrow | undefined {
  if (!field.filterable || source.from) return undefined;
  // What a column of times holds is read in another form than the one in which SQL would compare it.
  if (isTimeColumn(column)) return () => 'every';
  const columnWords = columnWordsOf(field, source);
  const sentinels = sentinelTexts(source.null);
  const isRule = (source.null ?? source.values ?? source.true) !== undefined;
  return (wanted) => {
    const none = mayBeNone(field, wanted);
    const { words, negated, orNull = false } = columnWords(wanted, none);
    if (!none) return { column, words, negated, orNull, isRule };
    const meant = negated ? words.filter((word) => !sentinels.has(word)) : [...words, ...sentinels];
    return { column, words: meant, negated, orNull: true, isRule };
  };
}

function columnWordsOf(field: Field, source: ColumnSource): ColumnWords {
  if (source.values) return translatedWords(field, source);
  if (source.true !== undefined) return trueWords([...sentinelTexts(source.true)]);
  if (field.kind === 'flag') return flagWords;
  return (wanted, none) => ({ words: none ? [...wanted, ''] : [...wanted], negated: false });
}

function translatedWords(field: Field, source: ColumnSource): ColumnWords {
  const read = wordReader(field, source);
  const texts = Object.keys(source.values ?? {}).flatMap((word) => [...spellings(word), word]);
  const said = [...new Set(texts)].map((text) => [text, read(text)] as const);
  const uncovered = wordReader(field, { ...source, values: {} })('');
  return (wanted, none) => {
    const passes = (value: unknown) => (value === null ? none : wanted.has(String(value)));
    const negated = passes(uncovered);
    const words = said.filter(([, value]) => passes(value) !== negated).map(([text]) => text);
    return { words, negated };
  };
}

/** Words that are true, all others being false, NULL too. */
function trueWords(words: readonly string[]): ColumnWords {
  return (wanted) => {
    const isFalse = wanted.has('false');
    return { words: isFalse && wanted.has('true') ? [] : words, negated: isFalse, orNull: isFalse };
  };
}

/** Words that are true and words that are false, all others holding nothing. */
function flagWords(wanted: ReadonlySet<string>, none: boolean): Words {
  if (wanted.has('true')) return { words: wanted.has('false') ? [] : FALSE_SPELLINGS, negated: true };
  return { words: TRUE_SPELLINGS, negated: true, orNull: none };
}

const inAnyCase = (words: ReadonlySet<string>): readonly string[] =>
  [...words].flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);

const [TRUE_SPELLINGS, FALSE_SPELLINGS] = [inAnyCase(TRUE_WORDS), inAnyCase(FALSE_WORDS)];
