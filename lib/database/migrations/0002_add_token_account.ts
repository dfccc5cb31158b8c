import { columnNames, type Migration } from './tables';

// Text, whatever the panel's own keys are: a token must not have to be made anew when they change their type.
export const addTokenAccount: Migration = {
  name: '0002_add_token_account',
  async alter(session, { tokens }, dialect) {
    if ((await columnNames(session, dialect, tokens)).includes('account_id')) return;
    await session.define((schema) =>
      schema.alterTable(tokens, (table) => {
        table.string('account_id', 128);
      }),
    );
  },
};
