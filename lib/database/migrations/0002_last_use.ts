import { DEFINE_LIMIT_MS } from '../Session';
import type { Migration } from './tables';

/**
 * A request's count and its token's last use are one write, so the last use gets columns beside the count. Those of 0001
 * are no longer read: processes of the version before still write them. The requests of all tokens get rows of their own.
 */
export const addLastUse: Migration = {
  name: '0002_last_use',
  creates: {},
  adds: { rateLimits: ['last_used_at', 'last_used_address'] },
  async change(tables, session) {
    const { dialect } = session;
    const fill = (sql: (table: Readonly<Record<'counts' | 'tokens' | 'usage', string>>) => string) =>
      session.run<unknown>((knex) => {
        const name = (table: string) => knex.ref(table).toString();
        return knex.raw(
          sql({ counts: name(tables.rateLimits), tokens: name(tables.tokens), usage: name(tables.usage) }),
        );
      }, DEFINE_LIMIT_MS);
    // Before the count's table is altered: on PostgreSQL it is locked from then on.
    await fill(
      ({ usage }) => `INSERT INTO ${usage} (token_id, day, endpoint, status_class, requests)
        SELECT 0, day, endpoint, status_class, SUM(requests) FROM ${usage}
        WHERE NOT EXISTS (SELECT 1 FROM ${usage} filled WHERE filled.token_id = 0)
        GROUP BY day, endpoint, status_class`,
    );
    await fill(
      ({ counts, tokens }) => `INSERT INTO ${counts} (token_id, window_start, hits)
        SELECT id, 0, 0 FROM ${tokens} WHERE last_used_at IS NOT NULL
        ${dialect.onConflictAdd(counts, ['token_id'], 'hits')}`,
    );
    const columns = await session.rows(dialect.columnsSql, [tables.rateLimits]);
    if (columns.every(({ name }) => name !== 'last_used_at'))
      await session.define((schema) =>
        schema.alterTable(tables.rateLimits, (table) => {
          table.bigInteger('last_used_at');
          table.string('last_used_address', 64);
        }),
      );
    const before = (column: string, { counts, tokens }: Readonly<Record<'counts' | 'tokens', string>>) =>
      `(SELECT old.${column} FROM ${tokens} old WHERE old.id = ${counts}.token_id)`;
    await fill(
      (table) => `UPDATE ${table.counts} SET last_used_at = ${before('last_used_at', table)},
        last_used_address = ${before('last_used_address', table)} WHERE last_used_at IS NULL`,
    );
  },
};
