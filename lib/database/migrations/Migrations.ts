import type { Database } from '../Database';
import { DatabaseFailure } from '../DatabaseFailure';
import type { Session } from '../Session';
import { createTables } from './0001_create_tables';
import {
  createTable,
  dropTable,
  isOwnTable,
  type Migration,
  type RowReader,
  type TableDefinition,
  type TableNames,
} from './tables';

/** All migrations, in the order in which they run. */
const MIGRATIONS: readonly Migration[] = [createTables];

interface AppliedMigration {
  readonly name: string;
  /** Seconds since 1970. */
  readonly appliedAt: number;
}

/** The module's own tables, as their owners read and write them. */
export interface OwnTables {
  /** The database. Each statement waits until the tables may be used. */
  readonly database: Database;
  readonly tables: TableNames;
}

/** Creates the module's own tables and drops them. It neither uses nor drops a table of the panel's by the same name. */
export class Migrations {
  readonly ownTables: OwnTables;
  readonly #database: Database;
  readonly #tables: TableNames;
  readonly #automatic: boolean;
  #ready: Promise<void> | undefined;
  /** Whether the table of the applied migrations was seen to be the module's. */
  #isOwn = false;

  constructor(database: Database, tables: TableNames, automatic: boolean) {
    this.#database = database;
    this.#tables = tables;
    this.#automatic = automatic;
    this.ownTables = { database: database.after(() => this.ready()), tables };
  }

  /**
   * Resolves when the tables may be used: at the first call it runs the pending migrations, or with `migrate: false`
   * checks that the tables are the module's. Rejects with a DatabaseFailure, and then the next call tries again.
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

  /**
   * Runs the pending migrations and returns their names. Several processes at once do not collide: they wait for one
   * another, except on different nodes of a cluster, which may run the same statements beside one another.
   */
  async up(): Promise<readonly string[]> {
    if ((await this.pending()).length === 0) return [];
    const { migrations: history } = this.#tables;
    const up = async (session: Session) => {
      await createTable(session, history, this.#historyTable);
      const rows = await session.run((knex) => knex(history).select({ name: 'name' }));
      const pending = without(rows);
      for (const migration of pending) {
        for (const [table, define] of this.#created(migration)) {
          await createTable(session, table, define);
        }
        await session.run<unknown>((knex) =>
          knex(history)
            .insert({ name: migration.name, applied_at: knex.raw(session.dialect.now) })
            .onConflict('name')
            .ignore(),
        );
      }
      return pending.map(({ name }) => name);
    };
    return this.#locked('migrations.up', up);
  }

  /** Drops every table of the module, tokens and audit trail included. */
  async down(): Promise<void> {
    const applied = new Set((await this.history()).map(({ name }) => name));
    await this.#locked('migrations.down', async (session) => {
      for (const migration of MIGRATIONS.toReversed()) {
        for (const [table, define] of this.#created(migration)) {
          await dropTable(session, table, define, applied.has(migration.name));
        }
      }
      await dropTable(session, this.#tables.migrations, this.#historyTable, false);
    });
    this.#ready = undefined;
  }

  /** The applied migrations, oldest first. Rejects with a ForeignTable if their table is another's. */
  async history(): Promise<readonly AppliedMigration[]> {
    const { migrations } = this.#tables;
    const wasOwn = this.#isOwn;
    this.#isOwn = wasOwn || (await isOwnTable(this.#reader, migrations, this.#historyTable));
    if (!this.#isOwn) return [];
    const reading = this.#database.query('migrations.history', (knex) =>
      knex(migrations).select({ name: 'name', applied: 'applied_at' }).orderBy('name'),
    );
    const rows = await reading.catch((error) => {
      this.#isOwn = false;
      // It may have been dropped since.
      if (wasOwn && this.#database.dialect.isStatementFailure(error)) return null;
      throw error;
    });
    if (!rows) return this.history();
    return rows.map(({ name, applied }) => {
      if (name === undefined) throw new DatabaseFailure('migrations.history', 'UNKNOWN_ANSWER');
      return { name: String(name), appliedAt: Number(applied) };
    });
  }

  /**
   * The names of the migrations that have not run. Rejects with a ForeignTable if one of them would create a table under
   * a name that another has.
   */
  async pending(): Promise<readonly string[]> {
    const pending = without(await this.history());
    for (const [table, define] of pending.flatMap((migration) => this.#created(migration)))
      await isOwnTable(this.#reader, table, define);
    return pending.map(({ name }) => name);
  }

  // The tables of an earlier version are the module's too; a statement that needs more fails by itself.
  async #requireTables(): Promise<void> {
    if ((await this.history()).length > 0) return;
    await this.pending();
    throw new DatabaseFailure('migrations.tables', 'TABLES_MISSING');
  }

  /** The tables that a migration creates. */
  #created({ creates }: Migration): readonly (readonly [string, TableDefinition])[] {
    return Object.entries(creates(this.#tables, this.#database.dialect));
  }

  readonly #historyTable: TableDefinition = (table) => {
    table.string('name', 128).primary(`${this.#tables.migrations}_pkey`);
    table.bigInteger('applied_at').notNullable();
  };

  get #reader(): RowReader {
    const database = this.#database;
    return {
      dialect: database.dialect,
      rows: (sql, bindings) => database.rows('migrations.tables', sql, bindings),
    };
  }

  #locked<T>(name: string, task: (session: Session) => Promise<T>): Promise<T> {
    return this.#database.locked(name, this.#tables.migrations, task);
  }
}

/** The migrations without those that were applied. */
function without(applied: readonly { readonly name: string }[]): readonly Migration[] {
  const names = new Set(applied.map(({ name }) => name));
  return MIGRATIONS.filter(({ name }) => !names.has(name));
}
