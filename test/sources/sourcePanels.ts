import type { Knex } from 'knex';
import type { PanelApiOptions, Sources } from '../../index';
import type { Answer } from '../fixture/answer';
import { type Engine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';

/** A panel of a test, and what the database was asked while it answered. */
export interface SourcePanel {
  readonly panel: TestPanel;
  readonly token: string;
  /** Every statement that was sent for rows of a list, with its values. */
  readonly statements: readonly string[];
  get(path: string, token?: string): Promise<Answer>;
  /** The items of a list, which must answer 200. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item.
  items(resource: string, query?: string): Promise<readonly any[]>;
  /** What health.php says of the source of a list. */
  health(resource: string): Promise<{ status: string; detail: string | null }>;
}

export interface SourcePanels {
  readonly database: TestDatabase;
  readonly knex: Knex;
  /** Makes a table with an `id` that counts up and these columns, and fills it. */
  table(
    name: string,
    columns: Readonly<Record<string, ColumnType>>,
    rows?: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void>;
  start(sources: Sources, options?: Partial<PanelApiOptions>): Promise<SourcePanel>;
}

/** One database for all tests of a block; tables and panels are gone after each. */
export function sourcePanels(engine: Engine): SourcePanels {
  let database: TestDatabase;
  const panels: TestPanel[] = [];
  const tables: string[] = [];
  beforeAll(async () => {
    database = await freshDatabase(engine);
  });
  afterEach(async () => {
    await Promise.all(panels.splice(0).map((panel) => panel.close()));
    for (const table of tables.splice(0)) await database.knex.schema.dropTableIfExists(table);
  });
  afterAll(() => database?.drop());
  return {
    get database() {
      return database;
    },
    get knex() {
      return database.knex;
    },
    async table(name, columns, rows = []) {
      tables.push(name);
      await database.knex.schema.createTable(name, (table) => {
        if (!('id' in columns)) table.increments('id');
        for (const [column, type] of Object.entries(columns)) addColumn(table, column, type);
      });
      for (const row of rows) await database.knex(name).insert(row);
    },
    async start(sources, options = {}) {
      const { knex } = database;
      const panel = await startPanel({ db: knex, sources, rateLimit: { requests: 100_000 }, ...options });
      panels.push(panel);
      const token = await panel.token();
      const statements: string[] = [];
      (options.db ?? knex).on('query', ({ sql, bindings }: { sql: string; bindings?: unknown[] }) => {
        if (/\bc0\b|\bc_0\b/.test(sql)) statements.push(`${sql} ${JSON.stringify(bindings?.map(String))}`);
      });
      const get = (path: string, as = token) => panel.get(`/api/v1/${path}`, as);
      return {
        panel,
        token,
        statements,
        get,
        async items(resource, query = '') {
          const { status, body } = await get(`${resource}.php${query}`);
          if (status !== 200) throw new Error(`${resource}${query} answered ${status}: ${body.error.code}`);
          return body.data.items;
        },
        async health(resource) {
          const { body } = await get('health.php');
          return body.data.checks.find(({ name }: { name: string }) => name === `source:${resource}`);
        },
      };
    },
  };
}

/** A type that knex names, or `native …` for one of the database's own. */
export type ColumnType =
  | 'integer'
  | 'bigInteger'
  | 'tinyint'
  | 'boolean'
  | 'string'
  | 'text'
  | 'decimal'
  | 'double'
  | 'date'
  | 'datetime'
  | `native ${string}`;

function addColumn(table: Knex.CreateTableBuilder, column: string, type: ColumnType): void {
  if (type.startsWith('native ')) table.specificType(column, type.slice('native '.length));
  else if (type === 'decimal') table.decimal(column, 30, 2);
  else if (type === 'datetime') table.dateTime(column, { useTz: false });
  else table[type as 'integer'](column);
}
