import type { Migration } from './tables';

/** Stores through what each token is created. */
export const addTokenOrigin: Migration = {
  name: '0004_token_origin',
  creates: {},
  adds: { tokens: ['origin'] },
  async change({ tokens }, session) {
    const columns = await session.rows(session.dialect.columnsSql, [tokens]);
    if (columns.some(({ name }) => name === 'origin')) return;
    await session.define((schema) => schema.alterTable(tokens, (table) => void table.string('origin', 32)));
  },
};
