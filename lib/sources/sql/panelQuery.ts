import type { Knex } from 'knex';
import type { Database } from '../../database/Database';
import type { Dialect } from '../../database/Dialect';
import type { QuerySourceOptions, TableSourceOptions } from '../SourceOptions';

/**
 * Returns the query of the panel's function with its joins and conditions, without its columns and its order. Throws a
 * TypeError for anything but a knex query to which columns can be added.
 */
function panelQuery(query: (knex: Knex) => unknown, knex: Knex): Knex.QueryBuilder {
  const given = query(knex);
  // Its rejection would be unhandled, which ends the process.
  if (given instanceof Promise) given.catch(() => undefined);
  const why = whyRefused(builderParts(given), knex);
  if (why !== null) throw new TypeError(why);
  const emptied = (given as Knex.QueryBuilder).clone().clear('select').clear('order');
  // The function may have built it with another handle than the one that it was given.
  return withConditionsGrouped(Object.assign(emptied, { client: knex.client }));
}

/** Returns the end of the sentence that refuses a query of which the module's statement would lose a part, or do harm. */
function whyRefused(parts: BuilderParts, knex: Knex): string | null {
  const { _method, _single = {}, _statements = [], _connection, client } = parts;
  // A builder that deletes would still delete, whatever columns and conditions are added.
  if (_method !== 'select') return 'must return a knex query that selects rows';
  // The module's limit would replace its own.
  if ('limit' in _single || 'offset' in _single) return 'must not have a limit or an offset';
  if (_statements.some(({ grouping }) => grouping === 'union'))
    return 'must not be a union: put it into a subquery';
  if (_statements.some(({ distinct, distinctOn }) => distinct === true || distinctOn === true))
    return 'must not be distinct: in place of a join that repeats rows, use whereExists or groupBy';
  if ('lock' in _single) return 'must not lock rows';
  // On PostgreSQL, it would change them for each statement.
  if (_statements.some(({ grouping, value }) => grouping === 'with' && !selects(value, knex)))
    return 'must not change rows in a `with`';
  if ((parts._timeout ?? parts._options) !== undefined)
    return 'must not have a timeout or options of the driver';
  const isBound = _connection !== undefined || client?.transacting !== knex.client.transacting;
  return isBound ? 'must not have a transaction or a connection of its own' : null;
}

/** Whether a part of a query only selects: a builder, a function that receives one, or raw SQL, which is not looked at. */
function selects(value: unknown, knex: Knex): boolean {
  const builder = typeof value === 'function' ? knex.queryBuilder() : value;
  if (typeof value === 'function') value.call(builder, builder);
  return [undefined, 'select', 'first', 'pluck'].includes(builderParts(builder)._method);
}

/** The table or query of the panel's that the rows of a source are selected from. A query may differ each time. */
export interface Relation {
  /** Null for a query. */
  readonly table: string | null;
  readonly knex: Knex;
  readonly dialect: Dialect;
  /** The table or query, without columns. */
  readonly query: () => Knex.QueryBuilder;
}

export function relationOf(
  resource: string,
  options: TableSourceOptions | QuerySourceOptions,
  { knex, panelKnex, dialect }: Pick<Database, 'knex' | 'panelKnex' | 'dialect'>,
): Relation {
  if (options.query)
    return { table: null, knex: panelKnex, dialect, query: () => panelQuery(options.query, panelKnex) };
  const table = options.table ?? resource;
  return { table, knex, dialect, query: () => knex(table) };
}

/** Whether a query groups its rows, or chooses some with HAVING, which a GROUP BY would make choose groups. */
export function isGrouped(query: Knex.QueryBuilder): boolean {
  const { _statements = [] } = builderParts(query);
  return _statements.some(({ grouping }) => grouping === 'group' || grouping === 'having');
}

/** Calls the function once at the mount. Throws a TypeError that names the option if its query is wrong. */
export function validatePanelQuery(query: (knex: Knex) => unknown, knex: Knex, path: string): void {
  try {
    panelQuery(query, knex);
  } catch (cause) {
    const why =
      cause instanceof TypeError && cause.message.startsWith('must ') ? cause.message : 'throws an error';
    throw new TypeError(`createPanelApi: the option ${path}.query ${why}.`, { cause });
  }
}

/** Puts the conditions in parentheses, so that one that is added holds for both of `a OR b`, also in raw SQL. */
function withConditionsGrouped(query: Knex.QueryBuilder): Knex.QueryBuilder {
  const { _statements = [] } = builderParts(query);
  const conditions = _statements.filter(({ grouping }) => grouping === 'where');
  if (conditions.length === 0) return query;
  return query.clear('where').where((group) => {
    builderParts(group)._statements?.push(...conditions);
  });
}

/** The parts of a knex query. knex has no public way to read them, and has kept these names since its first version. */
interface BuilderParts {
  readonly _method?: string;
  readonly _single?: Readonly<Record<string, unknown>>;
  readonly _statements?: Readonly<Record<string, unknown>>[];
  readonly _timeout?: unknown;
  readonly _options?: unknown;
  readonly _connection?: unknown;
  readonly client?: { readonly transacting?: unknown };
}

function builderParts(given: unknown): BuilderParts {
  return (given ?? {}) as BuilderParts;
}

export interface NamedTable {
  readonly alias: string;
  /** Null for a subquery. */
  readonly table: string | null;
  /** The schema that the query names for all its tables. */
  readonly schema?: string;
}

/** Returns the tables of a knex query, the main one first, without those in its raw SQL. */
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
    const [name = '', alias = name.replace(/^.*\./, '')] = table.trim().split(/\s+as\s+/i);
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
