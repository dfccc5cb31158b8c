import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import { LAST_ENTRY, LAST_TOKEN } from './loggedEntries';

/** How many ids are left out if no log says which were given out. */
const SKIPPED_IDS = 1000;

/** The last id of a table that may be left out, and a row that takes an id and is deleted again. */
export const TOKEN_IDS = {
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

export const ENTRY_IDS = {
  last: LAST_ENTRY,
  placeholder: { at: 0, action: '', actor: '', origin: '', details: '' },
};

/** Lets the ids of a table go on beyond this one. Without one, it leaves some out. */
export async function skipIds(
  session: Session,
  table: string,
  { last, placeholder }: { readonly last: number; readonly placeholder: object },
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
  if (skipIdsSql !== undefined) {
    await session.rows(skipIdsSql, [table, table, id]);
  } else if (largest < id) {
    await session.run((knex) => knex(table).insert({ id, ...placeholder }));
    await session.run((knex) => knex(table).where({ id }).delete());
  }
}
