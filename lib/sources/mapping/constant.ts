import type { Field } from '../../fields';
import { ListIds } from '../ids';
import type { ConstantSource } from '../SourceOptions';
import type { FieldParts, FieldPlan, Narrow } from './FieldPlan';
import { closedWords } from './words';

/** A field that is the same in every row. */
export function planConstant({ name, field, ids }: FieldParts, { value }: ConstantSource): FieldPlan {
  const constant: unknown = ListIds.toList(field.reader()(value), ids.partOf(name, field));
  const narrow = field.filterable ? { narrow: narrowing(field, constant) } : {};
  const words = closedWords(field, [constant]);
  return { name, field, positions: [], read: () => constant, words, ...narrow };
}

function narrowing({ fallback, required, derivation }: Field, value: unknown): Narrow {
  const shown = value ?? (required ? fallback : null) ?? null;
  return (wanted) => (derivation || (shown !== null && wanted.has(String(shown))) ? 'every' : 'none');
}
