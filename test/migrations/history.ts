/** The names of all migrations, in the order in which they run. */
export const HISTORY = [
  '0001_create_tables',
  '0002_add_token_account',
  '0003_grow_tokens',
  '0004_create_usage',
  '0005_index_actor',
];
