import { ignoresCase } from '../../database/columns';
import type { CasesSource } from '../SourceOptions';
import { uncoveredValue } from '../wordReader';
import { cell } from './cell';
import { closedWords } from './closedWords';
import type { FieldParts, FieldPlan } from './FieldPlan';
import { decide, type LiveCase, liveCases, narrowCases } from './liveCases';
import type { Translation } from './RowPlan';

/** A field that is decided by what several columns hold together. */
export function planCases({ name, field, columns }: FieldParts, source: CasesSource): FieldPlan {
  const cases = liveCases(source, field, (reference) => columns.find(reference));
  if (!cases) return { absent: columns.absent(source.cases.flatMap(({ when }) => Object.keys(when))) };
  const inputs = cases.flatMap(({ when }) => when.map(({ column }) => column));
  const positions = new Map(inputs.map((column) => [column.name, columns.select(column)]));
  const otherwise = uncoveredValue(field, source);
  return {
    name,
    field,
    translations: translations(name, cases),
    words: closedWords(field, [...cases.map(({ is }) => is), otherwise]),
    positions: [...positions.values()],
    read: (raw) => decide(cases, otherwise, (column) => raw[cell(positions.get(column.name) ?? -1)]),
    ...(field.filterable ? { narrow: narrowCases(field, cases, otherwise) } : {}),
  };
}

function translations(field: string, cases: readonly LiveCase[]): readonly Translation[] {
  const held = cases.flatMap(({ when }) => when).filter(({ column }) => ignoresCase(column));
  return [...new Set(held.map(({ column }) => column))].map((column) => {
    const words = new Set(held.flatMap((one) => (one.column === column ? [...one.words] : [])));
    return { field, column, words, isPartial: true, isOpen: true };
  });
}
