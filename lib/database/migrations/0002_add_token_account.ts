import type { Migration } from './tables';

// Text, whatever the panel's own keys are: no token must be created again if they change their type.
export const addTokenAccount: Migration = {
  name: '0002_add_token_account',
  extends: ({ tokens }) => ({
    [tokens]: { columns: { account_id: (table, name) => table.string(name, 128) } },
  }),
};
