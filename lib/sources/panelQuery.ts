import type { Knex } from 'knex';
import { builderParts } from './builderParts';

/**
 * The joins and conditions of the query that a function of the panel's gives, without what that selects and how it
 * orders. Throws a TypeError for anything but a knex query that can be filled with columns.
 */
export function panelQuery(query: (knex: Knex) => unknown, knex: Knex): Knex.QueryBuilder {
  const given = query(knex);
  // Nobody would hear of its failure, and that ends a process.
  if (given instanceof Promise) given.catch(() => undefined);
  const { _method, _single = {}, _statements = [] } = builderParts(given);
  // A builder that deletes would still delete with our columns and conditions.
  if (_method !== 'select') throw new TypeError('must give a knex query');
  // Our limit would take the place of its own.
  if ('limit' in _single || 'offset' in _single) throw new TypeError('must have no limit and no offset');
  if (_statements.some(({ grouping }) => grouping === 'union')) throw new TypeError('must be no union');
  const emptied = (given as Knex.QueryBuilder).clone().clear('select').clear('order');
  // The function may have made it with another handle than the one that it was given.
  return withConditionsGrouped(Object.assign(emptied, { client: knex.client }));
}

/** Tries the function at the mount. Throws a TypeError that names the option. */
export function checkPanelQuery(query: (knex: Knex) => unknown, knex: Knex, path: string): void {
  try {
    panelQuery(query, knex);
  } catch (cause) {
    const why = cause instanceof TypeError && cause.message.startsWith('must ') ? cause.message : 'it throws';
    throw new TypeError(`createPanelApi: the option ${path}.query is wrong (${why}).`, { cause });
  }
}

/** What is added to `a OR b` must hold for both. */
function withConditionsGrouped(query: Knex.QueryBuilder): Knex.QueryBuilder {
  const { _statements = [] } = builderParts(query);
  const conditions = _statements.filter(({ grouping }) => grouping === 'where');
  if (!conditions.some(({ bool }) => bool === 'or')) return query;
  return query.clear('where').where((group) => {
    builderParts(group)._statements?.push(...conditions);
  });
}
