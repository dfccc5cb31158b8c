import type { Migration } from './tables';

export const editTokens: Migration = {
  name: '0006_edit_tokens',
  extends: ({ tokens }) => ({
    [tokens]: {
      columns: {
        note: (table, name) => table.text(name),
        last_used_address: (table, name) => table.string(name, 64),
        version: (table, name) => table.integer(name).notNullable().defaultTo(1),
      },
    },
  }),
};
