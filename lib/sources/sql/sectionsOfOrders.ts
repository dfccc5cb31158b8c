import type { Dialect } from '../../database/Dialect';
import type { Finding } from '../findings';
import type { RowPlan } from '../mapping/rowPlan';
import type { Order } from '../Source';
import { keyCell, Ordering, type SortColumn } from './Ordering';

/** For each order that a client can ask for, and null for none: how its rows are sorted, one group after another. */
export type Orderings = ReadonlyMap<Order | null, readonly Ordering[]>;

/**
 * Returns the orderings of a list, and for each of the `times` by which it cannot be sorted a sentence that says why.
 */
export function orderingsOf(
  resource: string,
  plan: RowPlan,
  dialect: Dialect,
  times: readonly string[] = [],
): { readonly orderings: Orderings; readonly warnings: readonly Finding[] } {
  const [field = ''] = plan.fields.keys();
  const columns = plan.key.map((column): SortColumn => {
    const comparison = dialect.compareKey(column);
    const cell = comparison.keySql === undefined ? column.cell : keyCell(column);
    return { field, column, comparison, cell };
  });
  const orderings = new Map<Order | null, readonly Ordering[]>([
    [null, [new Ordering(resource, columns, false)]],
    ['desc', [new Ordering(resource, columns, true)]],
  ]);
  const warnings: Finding[] = [];
  for (const name of times) {
    const time = timeColumn(name, plan, dialect);
    if (typeof time === 'string') {
      const sentence = `The list cannot be sorted by ${name}: ${time}.`;
      warnings.push({ code: 'not_sortable', field: name, sentence });
      continue;
    }
    const bindings = [time.column.name];
    // An index on the time serves both groups. In one statement, few databases would use it and have NULL last.
    orderings.set(`-${name}`, [
      new Ordering(resource, [time, ...columns], true, { sql: '?? IS NOT NULL', bindings }),
      new Ordering(resource, columns, true, { sql: '?? IS NULL', bindings }),
    ]);
  }
  return { orderings, warnings };
}

/** Returns the column of a field of times, or why no row can be sorted by it. */
export function timeColumn(name: string, plan: RowPlan, dialect: Dialect): SortColumn | string {
  const field = plan.fields.get(name);
  const [selected] = field?.columns ?? [];
  if (!field?.range || !field.column || !selected) return 'no column supplies this field';
  const column = { ...field.column, cell: selected.cell };
  const comparison = dialect.compareTime(column);
  if (comparison) return { field: name, column, comparison, cell: column.cell };
  return `the column ${column.name} holds no numbers and no times by its type, so it may sort in another order`;
}
