import { type Column, isIntegerColumn } from '../../database/Column';
import type { Field } from '../../fields';
import { rawText } from '../../fields/rawText';
import { columnReader } from '../columnReader';
import { ListIds } from '../ListIds';
import { narrowing } from '../narrowing';
import type { ColumnSource } from '../SourceOptions';
import { spellings } from '../spellings';
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
  const narrow = narrowing(field, column, source);
  const isPlain = !source.from && !source.values;
  const isTime = isPlain && field.kind === 'time';
  return {
    name,
    field,
    positions: [position],
    read: readerAt(position, columnReader(field, column, source), part),
    ...(source.values && !source.from ? { words: closedWords(field, mappedWords(field, source)) } : {}),
    ...(isPlain ? { column: source.integer ? { ...column, type: 'bigint' } : column } : {}),
    ...(narrow ? { narrow: (wanted) => narrow(ListIds.toPanel(wanted, part)) } : {}),
    ...(refused === undefined ? {} : { refused: `The column ${columns.say(column)} ${refused}.` }),
    ...(isTime ? { changes: { column, form: source.time, zoned: source.zone !== undefined } } : {}),
    ...(source.values && source.otherwise === undefined
      ? { translation: translation(name, field, column, source) }
      : {}),
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

function translation(
  name: string,
  field: Field,
  column: Column,
  { values = {}, null: none }: ColumnSource,
): Translation {
  const words = new Set(Object.keys(values).concat([none ?? []].flat().map(String)));
  const covers = (raw: unknown) => {
    const text = rawText(raw);
    return text === null || words.has(text) || spellings(text).some((spelt) => words.has(spelt));
  };
  const isOpen = field.kind !== 'word' && field.kind !== 'flag';
  return { field: name, column, covers, isOpen };
}
