import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Column } from '../../database/columns';
import { refuseParameter } from '../../errors/ApiError';
import { rawText } from '../../fields/raw';
import { ROWS_PER_TURN } from '../chunks';
import { derivedNumber, MOST_NUMBERS } from '../ids';
import type { RawRow } from '../mapping/FieldPlan';
import type { RowPlan } from '../mapping/rowPlan';
import { type Conditions, KeyNotUnique } from '../Source';
import type { Relation } from './panelQuery';
import { boundValues, wantedConditions } from './select';

/**
 * Selects the texts of a column as `c0`, of the rows for which the conditions hold, without those on numbers that are
 * derived.
 */
export function keysSelect(
  relation: Relation,
  plan: RowPlan,
  column: Column,
  { filters, ...others }: Conditions,
): Knex.QueryBuilder {
  const plain = new Map([...filters].filter(([name]) => !plan.fields.get(name)?.derivedFrom));
  const { knex, query } = relation;
  const c0 = knex.raw(`${relation.dialect.selectSql(column)} AS c0`, [column.name]);
  const select = query()
    .select(c0)
    .limit(MOST_NUMBERS + 1);
  for (const condition of wantedConditions(plan, { ...others, filters: plain }, relation.dialect))
    select.whereRaw(condition.sql, boundValues(condition, relation.dialect));
  return select;
}

/**
 * Returns the texts from which these numbers are derived. Throws KeyNotUnique if one is derived from two texts, and
 * ApiError `query_invalid` for too many rows.
 */
export async function keysOf(
  rows: readonly RawRow[],
  name: string,
  wanted: ReadonlySet<string>,
  resource: string,
): Promise<ReadonlySet<string>> {
  if (rows.length > MOST_NUMBERS) refuseParameter(name, TOO_MANY);
  const keys = new Map<string, string>();
  for (const [index, { c0 }] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const key = rawText(c0);
    const number = key === null ? '' : String(derivedNumber(key));
    if (key === null || !wanted.has(number)) continue;
    if ((keys.get(number) ?? key) !== key) throw new KeyNotUnique(resource, true);
    keys.set(number, key);
  }
  return new Set(keys.values());
}

const TOO_MANY = `left out or combined with other filters: this panel derives the number from a text, which is looked for in at most ${MOST_NUMBERS.toLocaleString('en')} rows`;
