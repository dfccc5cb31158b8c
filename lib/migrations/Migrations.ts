import type { Database } from '../database/Database';
import type { Session } from '../database/Session';
import { addTokenAccount } from './addTokenAccount';
import { createTable, dropTable } from './createTable';
import { createTables } from './createTables';
import { createUsage } from './createUsage';
import { growTokens } from './growTokens';
import type { Migration, TableNames } from './Migration';

/** All migrations, in the order in which they run. */
const MIGRATIONS: readonly Migration[] = [createTables, addTokenAccount, growTokens, createUsage];

export interface AppliedMigration {
  readonly name: string;
  /** Seconds since 1970. */
  readonly appliedAt: number;
}

/** Brings the module's own tables and takes them away. */
export class Migrations {
  readonly #database: Database;
  readonly #tables: TableNames;
  readonly #automatic: boolean;
  #ready: Promise<void> | undefined;

  constructor(database: Database, tables: TableNames, automatic: boolean) {
    this.#database = database;
    this.#tables = tables;
    this.#automatic = automatic;
  }

  /**
   * Resolves when the tables may be used: at the first call it runs what is pending, unless `migrate` is false.
   * After a failure the next call tries again.
   */
  async ready(): Promise<void> {
    if (!this.#automatic) return;
    this.#ready ??= this.up().then(
      () => undefined,
      (error) => {
        this.#ready = undefined;
        throw error;
      },
    );
    return this.#ready;
  }

  /** Runs what is pending and gives the names of what it ran. Several processes at once do not collide. */
  async up(): Promise<readonly string[]> {
    if ((await this.pending()).length === 0) return [];
    return this.#locked('migrations.up', async (session) => {
      await this.#createHistory(session);
      const rows = await session.run((knex) => knex(this.#tables.migrations).select({ name: 'name' }));
      const applied = new Set(rows.map(({ name }) => name));
      const pending = MIGRATIONS.filter(({ name }) => !applied.has(name));
      for (const { name, up } of pending) {
        await up(session, this.#tables, this.#database.dialect);
        await session.run((knex) =>
          knex(this.#tables.migrations).insert({ name, applied_at: knex.raw(this.#database.dialect.now) }),
        );
      }
      return pending.map(({ name }) => name);
    });
  }

  /** Removes every table of the module, tokens and audit trail included. */
  async down(): Promise<void> {
    await this.#locked('migrations.down', async (session) => {
      for (const { down } of [...MIGRATIONS].reverse()) await down(session, this.#tables);
      await dropTable(session, this.#tables.migrations);
    });
    this.#ready = undefined;
  }

  /** What was applied, oldest first; empty before the first migration. */
  async history(): Promise<readonly AppliedMigration[]> {
    const { migrations } = this.#tables;
    const { columnsSql } = this.#database.dialect;
    const columns = await this.#database.rows('migrations.exists', columnsSql, [migrations]);
    if (columns.length === 0) return [];
    const rows = await this.#database.query('migrations.history', (knex) =>
      knex(migrations).select({ name: 'name', applied: 'applied_at' }).orderBy('name'),
    );
    return rows.map(({ name, applied }) => ({ name: String(name), appliedAt: Number(applied) }));
  }

  /** The names of the migrations that have not run. */
  async pending(): Promise<readonly string[]> {
    const applied = new Set((await this.history()).map(({ name }) => name));
    return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
  }

  #createHistory(session: Session): Promise<void> {
    return createTable(session, this.#database.dialect, this.#tables.migrations, (table) => {
      table.string('name', 128).primary(`${this.#tables.migrations}_pkey`);
      table.bigInteger('applied_at').notNullable();
    });
  }

  #locked<T>(name: string, task: (session: Session) => Promise<T>): Promise<T> {
    return this.#database.locked(name, this.#tables.migrations, task);
  }
}
