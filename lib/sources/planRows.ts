import type { Field, Fields } from '../fields';
import type { JsonSchema } from '../json/JsonSchema';
import type { Column } from './Column';
import { itemSchema } from './itemSchema';
import type { TableSourceOptions } from './SourceOptions';
import { translated } from './translated';

/** One field, read from a column. */
export interface PlannedColumn {
  readonly field: string;
  readonly column: Column;
  readonly read: (raw: unknown) => unknown;
}

/** How the rows of a table become items. */
export interface RowPlan {
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
  readonly columns: readonly PlannedColumn[];
  /** The served fields in their declared order. */
  readonly fields: readonly string[];
  readonly itemSchema: JsonSchema;
}

/** Decides which fields can be read from the live columns of the table, and says what is missing. */
export function planRows(
  fields: Fields,
  options: TableSourceOptions,
  table: string,
  live: readonly Column[],
): RowPlan {
  const found = findColumns(fields, options, live);
  const served = Object.keys(fields).filter((name) => {
    const off = options.fields?.[name] === false;
    return !off && (found.has(name) || isDerivable(fields[name] as Field, found));
  });
  return {
    ...(live.length === 0
      ? { missing: [`There is no table ${table}.`], warnings: [] }
      : shortcomings(fields, options, table, found, served)),
    columns: [...found].map(([name, column]) => ({
      field: name,
      column,
      read: translated(fields[name] as Field, column, options.fields?.[name]),
    })),
    fields: served,
    itemSchema: itemSchema(fields, served, found),
  };
}

function findColumns(
  fields: Fields,
  options: TableSourceOptions,
  live: readonly Column[],
): ReadonlyMap<string, Column> {
  const byName = new Map(live.map((column) => [column.name, column]));
  return new Map(
    Object.keys(fields).flatMap((field) => {
      const column = options.fields?.[field] === false ? undefined : byName.get(columnName(options, field));
      return column ? [[field, column] as const] : [];
    }),
  );
}

function columnName({ fields }: TableSourceOptions, field: string): string {
  const source = fields?.[field];
  return (typeof source === 'object' ? source.column : source) || field;
}

function isDerivable({ derivation }: Field, found: ReadonlyMap<string, Column>): boolean {
  return derivation?.from.every((input) => found.has(input)) ?? false;
}

function shortcomings(
  fields: Fields,
  options: TableSourceOptions,
  table: string,
  found: ReadonlyMap<string, Column>,
  served: readonly string[],
): Pick<RowPlan, 'missing' | 'warnings'> {
  const missing: string[] = [];
  const warnings: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const column = found.get(name);
    const refused = column && field.refuses?.(column);
    const absent = `The table ${table} has no column ${columnName(options, name)} (field ${name}).`;
    if (refused) missing.push(`The column ${column.name} of the table ${table} ${refused}.`);
    else if (field.required && !served.includes(name)) missing.push(absent);
    else if (!column && options.fields?.[name]) warnings.push(absent);
  }
  return { missing, warnings };
}
