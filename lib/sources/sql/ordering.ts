import type { Column, Comparison, SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { allOf, anyOf, NEVER } from '../mapping/conditions';
import type { RowPlan } from '../mapping/FieldPlan';
import { type Key, type Order, UnreadableRow } from '../Source';

/** A column by which rows are sorted. */
interface SortColumn {
  readonly field: string;
  /** Its position in the plan. */
  readonly position: number;
  readonly column: Column;
  readonly comparison: Comparison;
}

/** How the rows of a list are sorted: all columns in the same direction. Their values are the key of a row. */
export interface Ordering {
  readonly columns: readonly SortColumn[];
  readonly descending: boolean;
}

/** Returns the orderings of a list, by the orders that a client can ask for; null stands for none. */
export function orderingsOf(plan: RowPlan, dialect: Dialect): ReadonlyMap<Order | null, Ordering> {
  const columns = keyColumns(plan).map((column, index) => ({
    field: plan.fields[0]?.name ?? '',
    position: plan.key[index] ?? 0,
    column,
    comparison: dialect.compareKey(column),
  }));
  return new Map<Order | null, Ordering>([
    [null, { columns, descending: false }],
    ['desc', { columns, descending: true }],
  ]);
}

/** Returns the columns of the key, in its order. */
export function keyColumns({ key, columns }: RowPlan): readonly Column[] {
  return key.map((position) => columns[position] as Column);
}

/** Whether a row could have this key. */
export function mayHold({ columns }: Ordering, key: Key): boolean {
  const isHeld = ({ comparison }: SortColumn, index: number) =>
    comparison.bind(key[index] ?? '') !== undefined;
  return key.length === columns.length && columns.every(isHeld);
}

/** Returns the members of ORDER BY, with `??` for the names of the columns. */
export function orderBy({ columns, descending }: Ordering): readonly SqlCondition[] {
  const direction = descending ? ' DESC' : '';
  return columns.map(({ column, comparison }) => ({
    sql: comparison.left + direction,
    bindings: [column.name],
  }));
}

/**
 * Returns the conditions of the rows after a key. If the key has several columns, the condition on the first column
 * alone lets the database use its index.
 */
export function afterConditions({ columns, descending }: Ordering, key: Key): readonly SqlCondition[] {
  const terms = columns.map(({ field, column, comparison: { left, right, bind } }, index) => {
    const value = bind(key[index] ?? '');
    if (value === undefined) throw new UnreadableRow(field);
    return (operator: string): SqlCondition => ({
      sql: `${left} ${operator} ${right}`,
      bindings: [column.name, value],
    });
  });
  const [first] = terms;
  if (!first) return [];
  const after = descending ? '<' : '>';
  return terms.length === 1 ? [first(after)] : [first(`${after}=`), afterKey(terms, after)];
}

type Term = (operator: string) => SqlCondition;

function afterKey([first, ...rest]: readonly Term[], after: '<' | '>'): SqlCondition {
  if (!first) return NEVER;
  if (rest.length === 0) return first(after);
  return anyOf([first(after), allOf([first('='), afterKey(rest, after)])]);
}
