import { type Column, ignoresCase, isIntegerColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { columnReader } from '../columnReader';
import { ListIds } from '../ListIds';
import { narrowing } from '../narrowing';
import type { ColumnSource } from '../SourceOptions';
import { sentinelTest } from '../sentinels';
import { uncoveredValue } from '../wordReader';
import { cell } from './cell';
import { closedWords } from './closedWords';
import type { FieldParts, FieldPlan } from './FieldPlan';
import type { PlannedField, Translation } from './RowPlan';

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
