import { type Engine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { type Circumstances, type Ended, panelApi } from './panelApi';

export interface PanelDatabase extends TestDatabase {
  /** Runs the command on it. */
  run(args: readonly string[], circumstances?: Circumstances): Promise<Ended>;
  /** Runs the command with `--json`, and gives what it printed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the shape that it expects
  json(...args: string[]): Promise<any>;
  /** The names of all tables. */
  tables(): Promise<readonly string[]>;
}

/** A panel's database, in which the module has left nothing yet. */
export async function panelDatabase(engine: Engine): Promise<PanelDatabase> {
  const database = await freshDatabase(engine);
  // The file of an SQLite database is there once it was asked something.
  await database.knex.raw('select 1');
  const run: PanelDatabase['run'] = (args, circumstances) => panelApi(database.url, args, circumstances);
  return {
    ...database,
    run,
    async json(...args) {
      const { stdout, stderr } = await run([...args, '--json']);
      if (stdout === '') throw new Error(`panel-api ${args.join(' ')} printed nothing: ${stderr}`);
      return JSON.parse(stdout);
    },
    async tables() {
      const rows = await database.knex
        .select('name')
        .from(database.knex.raw(TABLES_SQL[engine]))
        .orderBy('name');
      return rows.map(({ name }) => name);
    },
  };
}

const TABLES_SQL: Readonly<Record<Engine, string>> = {
  mariadb:
    '(select table_name as name from information_schema.tables where table_schema = database()) as names',
  postgresql: "(select tablename as name from pg_tables where schemaname = 'public') as names",
  sqlite: "(select name from sqlite_master where type = 'table' and name not like 'sqlite_%') as names",
};
