import type { Database } from '../Database';
import { DatabaseFailure } from '../DatabaseFailure';
import { createTables } from './0001_create_tables';
import { addLastUse } from './0002_last_use';
import {
  createTable,
  dropTable,
  isOwnTable,
  type Migration,
  NewerTables,
  type RowReader,
  type TableDefinition,
  type TableNames,
} from './tables';

/**
 * All migrations, in the order in which they run.
 *
 * Processes of an earlier version may use the same tables, and ignore a migration that they do not know, except one
 * whose name begins with `version_`: then they refuse every request with a token, because they could serve a token
 * beyond a limit that they do not know. So before a migration that adds a limit of tokens, such as the accounts or
 * addresses of a token, or stores one in another form, add `{ name: 'version_2', creates: () => ({}) }`, next time
 * `version_3`. It must be a row of its own and the first: it is recorded before the columns of the limit exist. The
 * tables of 0001 are version 1, which has no row.
 */
const MIGRATIONS: readonly Migration[] = [createTables, addLastUse];

/** How long a process uses the tables before it looks again whether they have a version that it does not know. */
const INSPECTION_MS = 60_000;

interface AppliedMigration {
  readonly name: string;
  /** Seconds since 1970. */
  readonly appliedAt: number;
}

/** The module's own tables, as their owners read and write them. */
export interface OwnTables {
  /** The database. Each statement waits until the tables may be used. @internal */
  readonly database: Database;
  /** @internal */
  readonly tables: TableNames;
}

/** @internal */
export type Migrations = ReturnType<typeof createMigrations>;

/**
 * Creates the module's own tables and drops them. It neither uses nor drops a table of the panel's by the same name.
 * @internal
 */
export function createMigrations(database: Database, tables: TableNames, automatic: boolean) {
  const { dialect } = database;
  const { migrations } = tables;
  const reader: RowReader = {
    dialect,
    rows: (sql, bindings) => database.rows('migrations.tables', sql, bindings),
  };
  const historyTable: TableDefinition = (table) => {
    table.string('name', 128).primary(`${migrations}_pkey`);
    table.bigInteger('applied_at').notNullable();
  };
  const createdBy = ({ creates }: Migration) => Object.entries(creates(tables, dialect));
  const addedTo = (table: string) => MIGRATIONS.flatMap(({ adds }) => adds?.(tables)[table] ?? []);
  /** The last inspection of the tables, and when the next one is due, by `performance.now()`. */
  let readiness = Promise.resolve();
  let dueAt = 0;
  /** Whether the tables could be used before. */
  let wasReady = false;
  /** Whether the table of the applied migrations was seen to be the module's. */
  let isOwn = false;

  /**
   * Resolves when the tables may be used: at the first call it runs the pending migrations, or with `migrate: false`
   * checks that the tables are the module's. Once a minute of use it looks again whether they have a version that this
   * process does not know. Rejects with a DatabaseFailure, and then the next call tries again.
   */
  async function ready(): Promise<void> {
    if (performance.now() < dueAt) return readiness;
    dueAt = performance.now() + INSPECTION_MS;
    readiness = inspect().catch((error) => {
      dueAt = 0;
      throw error;
    });
    return readiness;
  }

  async function inspect(): Promise<void> {
    if (wasReady) missingIn(await history());
    else await (automatic ? up() : requireTables());
    wasReady = true;
  }

  /**
   * Runs the pending migrations and returns their names. Several processes at once do not collide: they wait for one
   * another, except on different nodes of a cluster, which may run the same statements beside one another.
   */
  async function up(): Promise<readonly string[]> {
    if ((await pending()).length === 0) return [];
    return database.locked('migrations.up', migrations, async (session) => {
      await createTable(session, migrations, historyTable);
      const missing = missingIn(await session.run((knex) => knex(migrations).select({ name: 'name' })));
      for (const migration of missing) {
        for (const [table, define] of createdBy(migration))
          await createTable(session, table, define, addedTo(table));
        await migration.change?.(tables, session);
        await session.run<unknown>((knex) =>
          knex(migrations)
            .insert({ name: migration.name, applied_at: knex.raw(dialect.now) })
            .onConflict('name')
            .ignore(),
        );
      }
      return missing.map(({ name }) => name);
    });
  }

  /** Drops every table of the module, tokens and audit trail included. */
  async function down(): Promise<void> {
    const missing = missingIn(await history());
    await database.locked('migrations.down', migrations, async (session) => {
      for (const migration of MIGRATIONS.toReversed()) {
        for (const [table, define] of createdBy(migration))
          await dropTable(session, table, define, !missing.includes(migration));
      }
      await dropTable(session, migrations, historyTable, false);
    });
    dueAt = 0;
    wasReady = false;
  }

  /** The applied migrations, oldest first. Rejects with a ForeignTable if their table is another's. */
  async function history(): Promise<readonly AppliedMigration[]> {
    const wasOwn = isOwn;
    isOwn = wasOwn || (await isOwnTable(reader, migrations, historyTable));
    if (!isOwn) return [];
    const reading = database.query('migrations.history', (knex) =>
      knex(migrations).select({ name: 'name', applied: 'applied_at' }).orderBy(['applied_at', 'name']),
    );
    const rows = await reading.catch((error) => {
      isOwn = false;
      // It may have been dropped since.
      if (wasOwn && dialect.isStatementFailure(error)) return null;
      throw error;
    });
    if (!rows) return history();
    return rows.map(({ name, applied }) => {
      if (name === undefined) throw new DatabaseFailure('migrations.history', 'UNKNOWN_ANSWER');
      return { name: String(name), appliedAt: Number(applied) };
    });
  }

  /**
   * The names of the migrations that have not run. Rejects with a ForeignTable if one of them would create a table under
   * a name that another has.
   */
  async function pending(): Promise<readonly string[]> {
    const missing = missingIn(await history());
    for (const [table, define] of missing.flatMap(createdBy))
      await isOwnTable(reader, table, define, addedTo(table));
    return missing.map(({ name }) => name);
  }

  // The tables of an earlier version are the module's too; a statement that needs more fails by itself.
  async function requireTables(): Promise<void> {
    if ((await pending()).length < MIGRATIONS.length) return;
    throw new DatabaseFailure('migrations.tables', 'TABLES_MISSING');
  }

  const ownTables: OwnTables = { database: database.after(ready), tables };
  return { ownTables, ready, up, down, history, pending };
}

/** The migrations that were not applied. Throws a NewerTables if a later version of the module has applied others. */
function missingIn(applied: readonly { readonly name: string }[]): readonly Migration[] {
  const names = applied.map(({ name }) => name);
  const unknown = names.filter((name) => MIGRATIONS.every((migration) => migration.name !== name));
  if (unknown.some((name) => name.startsWith('version_'))) throw new NewerTables();
  return MIGRATIONS.filter(({ name }) => !names.includes(name));
}
