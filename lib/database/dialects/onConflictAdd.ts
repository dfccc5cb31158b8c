import type { Dialect } from '../Dialect';

/** The end of the INSERT as PostgreSQL and SQLite have it. */
export const onConflictAdd: Dialect['onConflictAdd'] = (table, key, count) =>
  `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${count} = ${table}.${count} + excluded.${count}`;
