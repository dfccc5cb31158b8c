import { randomBytes } from 'node:crypto';
import type { Migration } from './tables';

/** Gives the installation an id, so that lines of the log of another one are told from its own. */
export const addInstallationId: Migration = {
  name: '0003_installation_id',
  creates: {},
  async change({ settings }, session) {
    await session.run<unknown>((knex) =>
      knex(settings)
        .insert({
          name: 'installation_id',
          value: randomBytes(16).toString('hex'),
          updated_at: knex.raw(session.dialect.now),
          updated_by: 'koa-panel-api',
        })
        .onConflict('name')
        .ignore(),
    );
  },
};
