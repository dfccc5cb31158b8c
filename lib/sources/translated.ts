import type { Field } from '../fields';
import { rawText } from '../fields/rawText';
import type { Column } from './Column';
import type { FieldSource } from './SourceOptions';

// Databases and drivers spell one boolean in three ways.
const SPELLINGS = [
  ['true', '1', 't'],
  ['false', '0', 'f'],
];

/** How a field is read from its column, the panel's words translated where it says how. */
export function translated(
  field: Field,
  column: Column,
  source: FieldSource | undefined,
): (raw: unknown) => unknown {
  const read = field.reader(column);
  const values = typeof source === 'object' ? source.values : undefined;
  if (!values) return read;
  const words = new Map(Object.entries(values));
  return (raw) => {
    const text = rawText(raw)?.trim();
    if (text === undefined) return null;
    const spelling = spellings(text).find((spelt) => words.has(spelt));
    return spelling === undefined ? (field.uncovered ?? null) : read(words.get(spelling));
  };
}

function spellings(text: string): readonly string[] {
  return [text, ...(SPELLINGS.find((spelt) => spelt.includes(text)) ?? [])];
}
