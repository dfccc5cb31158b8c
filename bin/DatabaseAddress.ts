import type { Knex } from 'knex';

/** The packages of npm that speak to a database. */
export type Driver = 'mysql2' | 'pg' | 'better-sqlite3';

/** Where a database is, in the words of its driver. */
export interface DatabaseAddress {
  readonly driver: Driver;
  readonly connection: Knex.StaticConnectionConfig;
}
