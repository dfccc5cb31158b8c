import type { Knex } from 'knex';
import { ALWAYS, anyOf, type Column, mayExceed, NEVER, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { type Statement, statementOf } from '../../database/Statement';
import { ApiError } from '../../errors/ApiError';
import { spelledBeginnings } from '../../fields/domainNames';
import { longestOf } from '../chunks';
import type { RawRow } from '../mapping/FieldPlan';
import type { RowPlan } from '../mapping/rowPlan';
import type { OwnedAccounts } from '../OwnedAccounts';
import type { Conditions } from '../Source';
import { IS_AFTER, keyCell, type Ordering } from './Ordering';
import type { Relation } from './panelQuery';

/** The name in a selected row of the mark that long values were omitted. */
export const OMITTED = 'omitted';

/**
 * Selects the rows for which the conditions hold, at most `most` of them, in the order of their keys, and one more with
 * `isAfter`, the flag how each row lies to a key. In a read of many rows, values that are too long are omitted.
 */
export type RowsSelect = (
  send: <T>(statement: Statement<T>) => Promise<T>,
  ordering: Ordering,
  conditions: readonly SqlCondition[],
  most: number,
  isAfter?: SqlCondition,
) => Promise<readonly RawRow[]>;

function querySelect(relation: Relation, plan: RowPlan): RowsSelect {
  const { knex, dialect } = relation;
  return (send, ordering, conditions, most, isAfter) => {
    const select = relation.query().select(plannedColumns(relation, plan, longestOf(most)));
    select.limit(isAfter ? most + 1 : most);
    if (isAfter) select.select(knex.raw(`${isAfter.sql} AS ${IS_AFTER}`, boundValues(isAfter, dialect)));
    for (const { sql, bindings } of ordering.orderBy) select.orderByRaw(sql, [...bindings]);
    for (const condition of conditions) select.whereRaw(condition.sql, boundValues(condition, dialect));
    return send(select);
  };
}

/** Returns the bindings of a condition: names (`??`) as they are, values (`?`) as the dialect binds them. */
export function boundValues({ sql, bindings }: SqlCondition, dialect: Dialect): Knex.RawBinding[] {
  const { bind } = dialect;
  if (!bind) return [...bindings];
  const marks = sql.match(/\?\??/g);
  return bindings.map((value, index) => (marks?.[index] === '??' ? value : (bind(value) as Knex.RawBinding)));
}

/** Creates the select. For a table, only the conditions differ between two reads: the rest is compiled here, once. */
export function rowsSelect(relation: Relation, plan: RowPlan): RowsSelect {
  const { table, knex, dialect } = relation;
  if (table === null) return querySelect(relation, plan);
  const headOf = remembered(
    (longest: number | null) =>
      knex(table)
        .select(plannedColumns(relation, plan, longest))
        .toSQL().sql,
  );
  const nameOf = remembered((name: Knex.RawBinding) => knex.raw('??', [name]).toQuery());
  const orderOf = remembered((ordering: Ordering) =>
    ordering.orderBy.map(({ sql, bindings }) => knex.raw(sql, [...bindings]).toQuery()).join(', '),
  );
  // knex would bind a value to a question mark in a name.
  if (headOf(null).includes('?')) return querySelect(relation, plan);
  return async (send, ordering, conditions, most, isAfter) => {
    const plain = headOf(longestOf(most));
    const head = isAfter ? plain.replace(/^select /, () => `select ${isAfter.sql} AS ${IS_AFTER}, `) : plain;
    const where = conditions.map(({ sql }) => sql).join(' AND ');
    const sql = `${head} WHERE ${where || '1 = 1'} ORDER BY ${orderOf(ordering)} LIMIT ?`;
    const bindings = [isAfter ?? ALWAYS, ...conditions].flatMap((condition) => condition.bindings);
    const named = withNames({ sql, bindings: [...bindings, isAfter ? most + 1 : most] }, nameOf);
    return dialect.rows(await send(statementOf(knex, named.sql, named.bindings)));
  };
}

/** Writes the names (`??`) of a condition into its SQL, unless one contains a question mark or a binding is missing. */
function withNames(given: SqlCondition, nameOf: (name: Knex.RawBinding) => string): SqlCondition {
  const left = [...given.bindings];
  const values: Knex.RawBinding[] = [];
  let isPlain = true;
  const sql = given.sql.replace(/\?\??/g, (mark) => {
    const value = left.shift() as Knex.RawBinding;
    if (mark === '?') {
      values.push(value);
      return mark;
    }
    const name = nameOf(value);
    isPlain &&= !name.includes('?');
    return name;
  });
  // knex counts the bindings of what it is given.
  const isComplete = left.length === 0 && !values.includes(undefined as never);
  return isPlain && isComplete ? { sql, bindings: values } : given;
}

/** Returns the function with its results kept, one for each argument. */
function remembered<T>(compile: (given: T) => string): (given: T) => string {
  const results = new Map<T, string>();
  return (given) => {
    const result = results.get(given) ?? compile(given);
    results.set(given, result);
    return result;
  };
}

/** How many of the newest rows are read to find the values of a column, unless all are. */
const NEWEST_ROWS = 10_000;

/** Selects the values of a column as `c0`, in all rows or in the newest. */
export function columnValues(
  { knex, dialect, query }: Relation,
  { key, where }: RowPlan,
  column: Column,
  ofAll: boolean,
): Knex.QueryBuilder {
  const values = query().select(knex.raw(`${dialect.selectSql(column)} AS c0`, [column.name]));
  for (const condition of where.values()) values.whereRaw(condition.sql, boundValues(condition, dialect));
  if (ofAll) return values.as('t');
  for (const { name } of key) values.orderBy(name, 'desc');
  return values.limit(NEWEST_ROWS).as('t');
}

/**
 * Returns the columns of the plan as a select names them. A value of more than `longest` bytes is omitted, unless it
 * belongs to the key, and the row is marked.
 */
export function plannedColumns({ knex, dialect }: Relation, plan: RowPlan, longest: number | null) {
  const tooLong = `${dialect.lengthSql} > ${longest}`;
  const long: string[] = [];
  const columns = plan.columns.flatMap((column) => {
    const [{ name, cell }, sql] = [column, dialect.selectSql(column)];
    // In raw SQL, because the handle must not rewrite these names.
    const plain = knex.raw(`${sql} AS ${cell}`, [name]);
    if (plan.key.includes(column)) {
      const { keySql } = dialect.compareKey(column);
      return keySql === undefined ? plain : [plain, knex.raw(`${keySql} AS ${keyCell(column)}`, [name])];
    }
    if (longest === null || !mayExceed(column, longest)) return plain;
    long.push(name);
    return knex.raw(`CASE WHEN ${tooLong} THEN NULL ELSE ${sql} END AS ${cell}`, [name, name]);
  });
  if (long.length === 0) return columns;
  const mark = `CASE WHEN ${long.map(() => tooLong).join(' OR ')} THEN 1 END AS ${OMITTED}`;
  return [...columns, knex.raw(mark, long)];
}

/**
 * Returns the conditions that hold for every row of the query, on the panel's own columns. Throws ApiError
 * `resource_unavailable` if the column of a filter was removed after the parameters were checked.
 */
export function wantedConditions(
  plan: RowPlan,
  { filters, ranges, search, owned }: Conditions,
  dialect: Dialect,
): readonly SqlCondition[] {
  const fieldOf = (name: string) => plan.fields.get(name) ?? gone();
  const asked = [...filters].map(([name, wanted]) => fieldOf(name).pushDown?.(wanted, dialect) ?? ALWAYS);
  const within = [...ranges].map(([name, bounds]) => fieldOf(name).range?.(bounds, dialect) ?? ALWAYS);
  const found = search?.fields.flatMap((name) => {
    const beginnings = search.domains.includes(name) ? spelledBeginnings(search.text) : [search.text];
    const searched = plan.fields.get(name)?.search;
    return beginnings.map((text) => searched?.(text, dialect) ?? NEVER);
  });
  const limited = owned ? [isOwned(fieldOf(owned.field).ids ?? gone(), owned, dialect)] : [];
  return [...plan.where.values(), ...asked, ...limited, ...within, ...(found ? [anyOf(found)] : [])];
}

/**
 * Returns the condition that a row is one of the accounts'. It is exact, because whole numbers have no collation, and holds
 * for the accounts at the moment at which the row is read.
 */
function isOwned(column: Column, { accountId, id, owner }: OwnedAccounts, dialect: Dialect): SqlCondition {
  const { right, bind } = dialect.compareKey(owner.column);
  const value = bind(accountId);
  if (value === undefined) return NEVER;
  // Without the alias, a column that was removed from the table of accounts could be one of the rows' own.
  const isOne = `panel_api_owned.?? = ${right}`;
  return {
    sql: `${dialect.groupSql(column)} IN (SELECT panel_api_owned.?? FROM ?? AS panel_api_owned WHERE ${isOne} OR ${isOne})`,
    bindings: [column.name, id.column.name, id.table, id.column.name, value, owner.column.name, value],
  };
}

/** Throws ApiError, because a column was removed after the parameters were checked. */
export function gone(): never {
  throw new ApiError('resource_unavailable');
}
