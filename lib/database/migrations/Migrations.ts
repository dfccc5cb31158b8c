import type { Database } from '../Database';
import { DatabaseFailure } from '../DatabaseFailure';
import { createTables } from './0001_create_tables';
import { addLastUse } from './0002_last_use';
import { addInstallationId } from './0003_installation_id';
import { addTokenOrigin } from './0004_token_origin';
import {
  createTable,
  type DefinedTable,
  dropTable,
  isModuleTable,
  type Migration,
  NewerTables,
  type RowReader,
  type TableNames,
} from './tables';

/**
 * All migrations, in the order in which they run.
 *
 * Processes of an earlier version may use the same tables, and ignore a migration that they do not know, except one
 * whose name begins with `version_`: then they refuse every request with a token, because they could serve a token
 * beyond a limit that they do not know. So before a migration that adds a limit of tokens, such as the accounts or
 * addresses of a token, or stores one in another form, add `{ name: 'version_2', creates: {} }`, next time
 * `version_3`. It must be a row of its own and the first: it is recorded before the columns of the limit exist. The
 * tables of 0001 are version 1, which has no row.
 */
const MIGRATIONS: readonly Migration[] = [createTables, addLastUse, addInstallationId, addTokenOrigin];

/** How long a process uses the tables before it looks again whether they have a version that it does not know. */
const INSPECTION_MS = 60_000;

interface AppliedMigration {
  readonly name: string;
  /** Seconds since 1970. */
  readonly appliedAt: number;
}

/** The module's own tables, as their owners read and write them. */
export interface ModuleTables {
  /** The database. Each statement waits until the tables may be used. @internal */
  readonly database: Database;
  /** @internal */
  readonly tables: TableNames;
}

/**
 * Creates the module's own tables and drops them. It neither uses nor drops a table of the panel's by the same name.
 * @internal
 */
export class Migrations {
  readonly moduleTables: ModuleTables;
  readonly #database: Database;
  readonly #tables: TableNames;
  readonly #history: DefinedTable;
  readonly #reader: RowReader;
  readonly #isAutomatic: boolean;
  readonly #look: (isFirst: boolean) => Promise<void>;
  /** The last inspection of the tables, and when the next one is due, by `performance.now()`. */
  #readiness = Promise.resolve();
  #dueAt = 0;
  /** Whether the tables could be used before. */
  #wasReady = false;
  /** Whether the table of the applied migrations was seen to be the module's. */
  #isModules = false;

  /**
   * With `isAutomatic`, the first use of the tables runs the pending migrations. `look` is called after it and once a minute
   * of use. It must use a database that does not wait for the tables, and never reject.
   */
  constructor(
    database: Database,
    tables: TableNames,
    isAutomatic: boolean,
    look: (isFirst: boolean) => Promise<void> = async () => {},
  ) {
    this.#database = database;
    this.#tables = tables;
    const rows: RowReader['rows'] = (sql, bindings) => database.rows('migrations.tables', sql, bindings);
    this.#reader = { dialect: database.dialect, rows };
    this.#history = { name: tables.migrations, define: historyTable, added: [] };
    this.#isAutomatic = isAutomatic;
    this.#look = look;
    this.moduleTables = { database: database.after(this.ready.bind(this)), tables };
  }

  /**
   * Resolves when the tables may be used: at the first call it runs the pending migrations, or with `migrate: false`
   * checks that the tables are the module's. Once a minute of use it looks again whether they have a version that this
   * process does not know. Rejects with a DatabaseFailure, and then the next call tries again.
   */
  ready(): Promise<void> {
    if (performance.now() < this.#dueAt) return this.#readiness;
    this.#dueAt = performance.now() + INSPECTION_MS;
    this.#readiness = this.#inspect().catch((error) => {
      this.#dueAt = 0;
      throw error;
    });
    return this.#readiness;
  }

  async #inspect(): Promise<void> {
    if (this.#wasReady) missingIn(await this.history());
    else await (this.#isAutomatic ? this.up() : this.#requireTables());
    await this.#look(!this.#wasReady);
    this.#wasReady = true;
  }

  /**
   * Runs the pending migrations and returns their names. Several processes at once do not collide: they wait for one
   * another, except on different nodes of a cluster, which may run the same statements beside one another.
   */
  async up(): Promise<readonly string[]> {
    if ((await this.pending()).length === 0) return [];
    const { migrations } = this.#tables;
    return this.#database.locked('migrations.up', migrations, async (session) => {
      await createTable(session, this.#history);
      const missing = missingIn(await session.run((knex) => knex(migrations).select({ name: 'name' })));
      for (const migration of missing) {
        for (const table of this.#createdBy(migration)) await createTable(session, table);
        await migration.change?.(this.#tables, session);
        await session.run<unknown>((knex) =>
          knex(migrations)
            .insert({ name: migration.name, applied_at: knex.raw(session.dialect.now) })
            .onConflict('name')
            .ignore(),
        );
      }
      return missing.map(({ name }) => name);
    });
  }

  /** Drops every table of the module, tokens and audit trail included. */
  async down(): Promise<void> {
    const missing = missingIn(await this.history());
    const { migrations } = this.#tables;
    await this.#database.locked('migrations.down', migrations, async (session) => {
      for (const migration of MIGRATIONS.toReversed()) {
        for (const table of this.#createdBy(migration))
          await dropTable(session, table, !missing.includes(migration));
      }
      await dropTable(session, this.#history, false);
    });
    this.#dueAt = 0;
    this.#wasReady = false;
  }

  /** The applied migrations, oldest first. Rejects with a ForeignTable if their table is another's. */
  async history(): Promise<readonly AppliedMigration[]> {
    const { migrations } = this.#tables;
    const wasModules = this.#isModules;
    this.#isModules = wasModules || (await isModuleTable(this.#reader, this.#history));
    if (!this.#isModules) return [];
    const history = this.#database.query('migrations.history', (knex) =>
      knex(migrations).select({ name: 'name', applied: 'applied_at' }).orderBy(['applied_at', 'name']),
    );
    const rows = await history.catch((error) => {
      this.#isModules = false;
      // It may have been dropped since.
      if (wasModules && this.#database.dialect.isStatementFailure(error)) return null;
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
    const missing = missingIn(await this.history());
    for (const table of missing.flatMap((migration) => this.#createdBy(migration)))
      await isModuleTable(this.#reader, table);
    return missing.map(({ name }) => name);
  }

  // The tables of an earlier version are the module's too; a statement that needs more fails by itself.
  async #requireTables(): Promise<void> {
    if ((await this.pending()).length < MIGRATIONS.length) return;
    throw new DatabaseFailure('migrations.tables', 'TABLES_MISSING');
  }

  /** The tables that a migration creates, with the columns that later ones add to them. */
  #createdBy({ creates }: Migration): readonly DefinedTable[] {
    return Object.entries(creates).map(([table, define]) => {
      const key = table as keyof TableNames;
      return { name: this.#tables[key], define, added: MIGRATIONS.flatMap(({ adds }) => adds?.[key] ?? []) };
    });
  }
}

const historyTable: DefinedTable['define'] = (table, name) => {
  table.string('name', 128).primary(`${name}_pkey`);
  table.bigInteger('applied_at').notNullable();
};

/** The migrations that were not applied. Throws a NewerTables if a later version of the module has applied others. */
function missingIn(applied: readonly { readonly name: string }[]): readonly Migration[] {
  const names = applied.map(({ name }) => name);
  const unknown = names.filter((name) => MIGRATIONS.every((migration) => migration.name !== name));
  if (unknown.some((name) => name.startsWith('version_'))) throw new NewerTables();
  return MIGRATIONS.filter(({ name }) => !names.includes(name));
}
