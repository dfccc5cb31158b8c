import type { Database } from '../Database';
import { DatabaseFailure } from '../DatabaseFailure';
import type { Session } from '../Session';
import { createTables } from './0001_create_tables';
import { addTokenAccount } from './0002_add_token_account';
import { growTokens } from './0003_grow_tokens';
import { createUsage } from './0004_create_usage';
import { indexActor } from './0005_index_actor';
import {
  createTable,
  dropTable,
  isOwnTable,
  type Migration,
  namesOf,
  type ReadRows,
  type TableDefinition,
  type TableNames,
} from './tables';

/** All migrations, in the order in which they run. */
const MIGRATIONS: readonly Migration[] = [createTables, addTokenAccount, growTokens, createUsage, indexActor];

export interface AppliedMigration {
  readonly name: string;
  /** Seconds since 1970. */
  readonly appliedAt: number;
}

/** Creates the module's own tables and drops them. It neither takes nor drops a table of the panel's by the same name. */
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
   * Resolves when the tables may be used: at the first call it runs what is pending, or with `migrate: false` checks that
   * the tables are the module's. Rejects with a DatabaseFailure, and then the next call tries again.
   */
  async ready(): Promise<void> {
    this.#ready ??= (this.#automatic ? this.up() : this.#requireTables()).then(
      () => undefined,
      (error) => {
        this.#ready = undefined;
        throw error;
      },
    );
    return this.#ready;
  }

  /** Runs what is pending and returns the names of what it ran. Several processes at once do not collide. */
  async up(): Promise<readonly string[]> {
    if ((await this.pending()).length === 0) return [];
    const { dialect } = this.#database;
    return this.#locked('migrations.up', async (session) => {
      await createTable(session, dialect, this.#tables.migrations, this.#historyTable);
      const applied = new Set(await this.#appliedIn(session));
      const pending = MIGRATIONS.filter(({ name }) => !applied.has(name));
      for (const { name, creates, alter } of pending) {
        for (const [table, define] of Object.entries(creates?.(this.#tables, dialect) ?? {})) {
          await createTable(session, dialect, table, define);
        }
        await alter?.(session, this.#tables, dialect);
        await session.run((knex) =>
          knex(this.#tables.migrations).insert({ name, applied_at: knex.raw(dialect.now) }),
        );
      }
      return pending.map(({ name }) => name);
    });
  }

  /** Drops every table of the module, tokens and audit trail included. */
  async down(): Promise<void> {
    const { dialect } = this.#database;
    const applied = new Set((await this.history()).map(({ name }) => name));
    await this.#locked('migrations.down', async (session) => {
      for (const { name, creates } of [...MIGRATIONS].reverse()) {
        for (const [table, define] of Object.entries(creates?.(this.#tables, dialect) ?? {})) {
          await dropTable(session, dialect, table, define, applied.has(name));
        }
      }
      await dropTable(session, dialect, this.#tables.migrations, this.#historyTable, false);
    });
    this.#ready = undefined;
  }

  /** What was applied, oldest first; empty before the first migration. Rejects with a ForeignTable if that is another's. */
  async history(): Promise<readonly AppliedMigration[]> {
    const { migrations } = this.#tables;
    if (!(await isOwnTable(this.#read, this.#database.dialect, migrations, this.#historyTable))) return [];
    const rows = await this.#database.query('migrations.history', (knex) =>
      knex(migrations).select({ name: 'name', applied: 'applied_at' }).orderBy('name'),
    );
    return rows.map(({ name, applied }) => ({ name: String(name), appliedAt: Number(applied) }));
  }

  /**
   * The names of the migrations that have not run. Rejects with a ForeignTable if one of them would create a table under
   * a name that another has.
   */
  async pending(): Promise<readonly string[]> {
    const { dialect } = this.#database;
    const applied = new Set((await this.history()).map(({ name }) => name));
    const pending = MIGRATIONS.filter(({ name }) => !applied.has(name));
    for (const { creates } of pending) {
      for (const [table, define] of Object.entries(creates?.(this.#tables, dialect) ?? {})) {
        for (const name of namesOf(table)) await isOwnTable(this.#read, dialect, name, define);
      }
    }
    return pending.map(({ name }) => name);
  }

  // The tables of an earlier version are the module's too; what they lack fails by itself.
  async #requireTables(): Promise<void> {
    if ((await this.history()).length > 0) return;
    await this.pending();
    throw new DatabaseFailure('migrations.tables', 'TABLES_MISSING');
  }

  async #appliedIn(session: Session): Promise<readonly string[]> {
    const rows = await session.run((knex) => knex(this.#tables.migrations).select({ name: 'name' }));
    return rows.map(({ name }) => name);
  }

  readonly #historyTable: TableDefinition = (table) => {
    table.string('name', 128).primary(`${this.#tables.migrations}_pkey`);
    table.bigInteger('applied_at').notNullable();
  };

  readonly #read: ReadRows = (sql, bindings) => this.#database.rows('migrations.tables', sql, bindings);

  #locked<T>(name: string, task: (session: Session) => Promise<T>): Promise<T> {
    return this.#database.locked(name, this.#tables.migrations, task);
  }
}
