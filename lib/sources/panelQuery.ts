import type { Knex } from 'knex';
import type { QuerySourceOptions, TableSourceOptions } from './SourceOptions';

// knex offers no way to look at what a builder holds; it has kept these names since its first version.
interface Statements {
  readonly _method?: unknown;
  readonly _statements: { readonly grouping?: unknown; readonly bool?: unknown }[];
}

/**
 * The rows of a source as the panel lays them down: its table, or the joins and conditions of its query. What that
 * selects, orders and limits is gone. Throws a TypeError for anything but a knex query of one select.
 */
export function panelQuery(
  knex: Knex,
  resource: string,
  options: TableSourceOptions | QuerySourceOptions,
): Knex.QueryBuilder {
  if (!('query' in options)) return knex(options.table ?? resource);
  const given: unknown = options.query(knex);
  if (!isSelect(given)) {
    throw new TypeError(
      `createPanelApi: the option sources.${resource}.query is wrong (must give a knex query of joins and conditions).`,
    );
  }
  const query = given.clone().clear('select').clear('order').clear('limit').clear('offset');
  return withConditionsGrouped(query);
}

// A builder that deletes would still delete with our columns and conditions.
function isSelect(given: unknown): given is Knex.QueryBuilder {
  const { _method, _statements } = (given ?? {}) as Partial<Statements>;
  return _method === 'select' && !_statements?.some(({ grouping }) => grouping === 'union');
}

/** What is added to `a OR b` must hold for both. */
function withConditionsGrouped(query: Knex.QueryBuilder): Knex.QueryBuilder {
  const conditions = (query as unknown as Statements)._statements.filter(
    ({ grouping }) => grouping === 'where',
  );
  if (!conditions.some(({ bool }) => bool === 'or')) return query;
  return query.clear('where').where((group) => {
    (group as unknown as Statements)._statements.push(...conditions);
  });
}
