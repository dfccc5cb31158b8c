import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';

/** How many ids are left out if no log says which were given out. */
const SKIPPED_IDS = 1000;

/** How many ids are left at least: a line of a log may be wrong. */
const LEFT_IDS = 1_000_000;

/** The last id that a token of a log may have: the column is a 32-bit integer. */
export const LAST_TOKEN = 2 ** 31 - LEFT_IDS;

/** The last id that an entry of a log may have. */
export const LAST_ENTRY = 2 ** 53 - LEFT_IDS;

/** The ids of a table, and a row that takes an id and is deleted again. */
interface Ids {
  readonly last: number;
  readonly placeholder: object;
}

export const TOKEN_IDS: Ids = {
  last: LAST_TOKEN,
  placeholder: {
    name: '',
    prefix: '',
    hash: Buffer.alloc(32),
    scopes: '',
    created_at: 0,
    created_by: '',
  },
};

export const ENTRY_IDS: Ids = {
  last: LAST_ENTRY,
  placeholder: { at: 0, action: '', actor: '', origin: '', details: '' },
};

/** Lets the ids of a table go on beyond this one. Without one, it leaves some out. */
export async function skipIds(
  session: Session,
  table: string,
  { last, placeholder }: Ids,
  known: number | undefined,
  least = 0,
) {
  const { skipIdsSql } = session.dialect;
  const [row] = await session.run((knex) => knex(table).max({ id: 'id' }));
  const largest = Number(row?.id ?? 0);
  const id = Math.max(known ?? largest + SKIPPED_IDS, least);
  if (id > last)
    throw new InvalidInput(
      'lines',
      `The table ${table} has too few ids left to leave out those up to ${id}.`,
    );
  if (skipIdsSql !== undefined) await session.rows(skipIdsSql, [table, table, id]);
  if (skipIdsSql !== undefined || largest >= id) return;
  await session.run((knex) => knex(table).insert({ id, ...placeholder }));
  await session.run((knex) => knex(table).where({ id }).delete());
}
