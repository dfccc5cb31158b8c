import { DEFINE_LIMIT_MS } from '../Session';
import type { Migration } from './tables';

const COLUMNS = ['last_used_at', 'last_used_address'];

// A request's count and its token's last use are one write. The columns of 0001 are no longer read: processes of the
// version before still write them.
export const addLastUse: Migration = {
  name: '0002_last_use',
  creates: () => ({}),
  async change({ rateLimits, tokens }, session) {
    const columns = await session.rows(session.dialect.columnsSql, [rateLimits]);
    if (columns.every(({ name }) => name !== COLUMNS[0]))
      await session.define((schema) =>
        schema.alterTable(rateLimits, (table) => {
          table.bigInteger('last_used_at');
          table.string('last_used_address', 64);
        }),
      );
    await session.run((knex) => {
      const [counts, used] = [rateLimits, tokens].map((name) => knex.ref(name).toString());
      return knex.raw(
        `INSERT INTO ${counts} (token_id, window_start, hits, ${COLUMNS.join(', ')})
          SELECT id, 0, 0, used, address
          FROM (SELECT id, last_used_at AS used, last_used_address AS address FROM ${used}) token
          WHERE used IS NOT NULL
          ${session.dialect.onConflictAdd(String(counts), ['token_id'], 'hits', COLUMNS)}`,
      );
    }, DEFINE_LIMIT_MS);
  },
};
