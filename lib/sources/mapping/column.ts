import { ALWAYS, type Column, ignoresCase, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { HAVE_RANGES } from '../../fields/Field';
import type { Integer } from '../../fields/raw';
import { closedObject, wrong } from '../checks';
import { type FromKeywords, from } from './computed';
import { holds, type PushDown } from './conditions';
import {
  aColumn,
  type ColumnReading,
  type DescriptionKind,
  type ReadingPlan,
  sentinels,
  type ValueOf,
} from './description';
import { type FieldPlan, mayBeNone, readCell, type Translation } from './FieldPlan';
import { flagWords, type TrueKeywords, truth } from './flags';
import { type IntegerKeywords, integer } from './integer';
import { numberRange } from './ranges';
import { type Sentinel, sentinelTest, sentinelTexts } from './sentinels';
import { type SeparatorKeywords, separator } from './separator';
import { type TimeKeywords, time } from './time';
import { type UnitKeywords, unit } from './unit';
import { type ValuesKeywords, values } from './words';

/** The ways to read a column. A description uses the first one of which it has a keyword. */
const READINGS = [
  from,
  values,
  truth,
  unit,
  integer,
  separator,
  time,
] as readonly ColumnReading<ColumnSource>[];

/** Reads a field from one column. */
export type ColumnSource<F extends Field = Field> = {
  /** The column, in a query `alias.column`. Default: the field's name. */
  readonly column?: string;
  /**
   * Values of the column that mean null, such as no parent, no limit or never. They are checked before the other
   * keywords.
   */
  readonly null?: Sentinel | readonly Sentinel[];
  /** For ids: the part of a list that the id refers to, from 0, if the list has several parts. */
  readonly part?: Integer extends ValueOf<F> ? number : never;
} & FromKeywords &
  ValuesKeywords<F> &
  TrueKeywords<F> &
  UnitKeywords<F> &
  IntegerKeywords<F> &
  SeparatorKeywords<F> &
  TimeKeywords<F>;

/** Reads the column as the field itself does. */
const plain: ColumnReading<ColumnSource> = {
  keywords: () => ({}),
  isAsked: () => true,
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

function readingOf(field: Field, source: ColumnSource): ColumnReading<ColumnSource> {
  return READINGS.find((reading) => reading.isAsked(source, field)) ?? plain;
}

export const column: DescriptionKind<ColumnSource> = {
  mayBeKey: true,
  check({ field, checkPart }) {
    const keywordsOf = (reading: ColumnReading<ColumnSource>) => Object.keys(reading.keywords(field));
    const members = closedObject({
      column: aColumn,
      null: sentinels,
      ...(field.kind === 'id' ? { part: checkPart } : {}),
      ...Object.assign({}, ...READINGS.map(({ keywords }) => keywords(field))),
    });
    return (given, path) => {
      members(given, path);
      const source = given as ColumnSource;
      const asked = readingOf(field, source);
      for (const reading of READINGS) {
        const other = keywordsOf(reading).find((name) => reading !== asked && name in source);
        if (other === undefined) continue;
        const own = keywordsOf(asked).find((name) => name in source);
        const why = own === undefined ? `without ${keywordsOf(reading)[0]}` : `together with ${own}`;
        throw wrong(`${path}.${other}`, `is not allowed ${why}`);
      }
    };
  },
  references: ({ column }, name) => [column ?? name],
  plan({ name, field, columns, ids }, source) {
    const reference = source.column ?? name;
    const found = columns.find(reference);
    if (!found) return { absent: [reference] };
    const isKey = name === 'id';
    const reading = readingOf(field, source).plan({ field, column: found, isKey }, source);
    const { column = found, shown = column, named, words } = reading;
    const refused = reading.refused === undefined ? field.refuses?.(column) : reading.refused;
    const isNone = sentinelTest(source.null, column);
    const read = (raw: unknown) => (isNone(raw) ? null : reading.read(raw));
    const { toList, toPanel } = ids(name, field, source.part);
    const pushDown = pushDownOf(field, column, reading, source);
    const position = columns.select(column);
    const readOrNone = source.null === undefined ? reading.read : read;
    return {
      name,
      field,
      positions: [position],
      ...readCell(position, (value) => toList(readOrNone(value))),
      inputs: named ? [] : [{ position, isNone }],
      ...sumOf(field, column, reading, source),
      pushDown: pushDown && ((wanted, dialect) => pushDown(toPanel(wanted), dialect)),
      translations: translations(name, field, column, reading, source),
      words,
      ...(shown ? { column: shown } : {}),
      ...(refused ? { refused: `The column ${columns.say(column)} ${refused}.` } : {}),
      // The values of a derived field are computed for some rows.
      ...(field.derivation ? {} : { range: reading.range, search: reading.search }),
    };
  },
};

/** Returns how the database adds the values up; nothing if it cannot. */
function sumOf(
  { kind, required, derivation }: Field,
  column: Column,
  { factor }: ReadingPlan,
  source: ColumnSource,
): Pick<FieldPlan, 'sum'> {
  if (kind !== 'bytes' || required || derivation || factor === undefined || !isIntegerColumn(column))
    return {};
  const none = [...sentinelTexts(source.null)].filter((text) => /^(?:0|-?[1-9]\d{0,19})$/.test(text));
  return { sum: { column, factor, none } };
}

/** Returns a filter's condition on the column; undefined if the field cannot be filtered. */
function pushDownOf(
  { filterable, ...field }: Field,
  column: Column,
  { asked = sameWords, named }: ReadingPlan,
  source: ColumnSource,
): PushDown | undefined {
  if (!filterable || !asked) return undefined;
  // A column of times is read in another form than SQL compares.
  if (isTimeColumn(column)) return () => ALWAYS;
  const sentinels = sentinelTexts(source.null);
  const isRule = source.null !== undefined || named !== undefined;
  return (wanted, dialect) => {
    const none = mayBeNone(field, wanted);
    const { words, negated, orNull = false } = asked(wanted, none);
    if (!none) return holds({ column, words, negated, orNull, isRule }, dialect);
    const meant = negated ? words.filter((word) => !sentinels.has(word)) : [...words, ...sentinels];
    return holds({ column, words: meant, negated, orNull: true, isRule }, dialect);
  };
}

const sameWords: ReadingPlan['asked'] = (wanted, none) => ({
  words: none ? [...wanted, ''] : [...wanted],
  negated: false,
});

function translations(
  name: string,
  { kind }: Field,
  column: Column,
  { named = [], namesAll = false }: ReadingPlan,
  source: ColumnSource,
): readonly Translation[] {
  if (!namesAll && !ignoresCase(column)) return [];
  const words = new Set([...named, ...[source.null ?? []].flat().map(String)]);
  return [{ field: name, column, words, isPartial: !namesAll, isOpen: kind !== 'word' && kind !== 'flag' }];
}
