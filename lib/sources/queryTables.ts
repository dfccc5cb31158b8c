import type { Knex } from 'knex';
import { builderParts } from './builderParts';

/** A table that a query names, and the name by which its columns are called. */
export interface NamedTable {
  readonly alias: string;
  /** Null where it is no table but a query of its own. */
  readonly table: string | null;
  /** The schema that the query names for all of its tables. */
  readonly schema?: string;
}

/** The tables of a knex query, the main one first. Those in its raw SQL are not among them. */
export function queryTables(query: Knex.QueryBuilder): readonly NamedTable[] {
  const { _single, _statements = [] } = builderParts(query);
  const joins = _statements.filter(({ grouping }) => grouping === 'join').map(({ table }) => table);
  const derived = _statements.filter(({ grouping }) => grouping === 'with').map(({ alias }) => alias);
  return [_single?.table, ...joins].flatMap(namedTables).map(({ alias, table }) => ({
    alias,
    table: derived.includes(table) ? null : table,
    ...(typeof _single?.schema === 'string' ? { schema: _single.schema } : {}),
  }));
}

function namedTables(table: unknown): readonly NamedTable[] {
  if (typeof table === 'string') {
    const [name = '', alias = lastPart(name)] = table.trim().split(/\s+as\s+/i);
    return [{ alias, table: name }];
  }
  if (typeof table !== 'object' || table === null) return [];
  const alias: unknown = builderParts(table)._single?.as;
  if (typeof alias === 'string') return [{ alias, table: null }];
  if (Object.getPrototypeOf(table) !== Object.prototype) return [];
  return Object.entries(table).map(([name, of]) => ({
    alias: name,
    table: typeof of === 'string' ? of : null,
  }));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
