import type { RequestOptions } from 'node:http';
import type { Knex } from 'knex';
import Koa from 'koa';
import type { PanelApiOptions } from '../../index';
import { type Engine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';
import { createLongTable } from './longTable';
import { type OpenList, openList } from './openList';

export const DOMAINS = '/api/v1/domains.php';
export const ME = '/api/v1/me.php';

export interface LongPanel {
  readonly database: TestDatabase;
  readonly panel: TestPanel;
  readonly token: string;
  /** What reached the panel's own error handling. */
  readonly errors: readonly unknown[];
  /** Sends a request and reads the headers of its answer. */
  open(path?: string, init?: RequestOptions): Promise<OpenList>;
  /** Sends a request and reads its answer, which is no long one, to the end. */
  ask(path: string): Promise<readonly [status: number | undefined, errorCode: string | null]>;
  close(): Promise<void>;
}

interface Circumstances {
  readonly rows?: number;
  readonly options?: Partial<PanelApiOptions>;
  /** Makes what else the panel has. */
  readonly before?: (knex: Knex) => Promise<unknown>;
  /** Another handle of the panel's over the database, which is destroyed with it. */
  readonly handle?: (database: TestDatabase) => Knex;
}

/** A panel whose list of domains is long. */
export async function startLongPanel(
  engine: Engine,
  { rows, options = {}, before, handle }: Circumstances = {},
): Promise<LongPanel> {
  const database = await freshDatabase(engine);
  await before?.(database.knex);
  await createLongTable(database.knex, rows);
  const db = handle?.(database) ?? database.knex;
  const app = new Koa();
  const errors: unknown[] = [];
  app.on('error', (error) => errors.push(error));
  const panel = await startPanel({ db, rateLimit: { requests: 10_000 }, ...options }, app);
  const token = await panel.token();
  const open = (path = DOMAINS, init = {}) => openList(panel.url + path, token, init);
  return {
    database: { ...database, knex: db },
    panel,
    token,
    errors,
    open,
    async ask(path) {
      const { response, rest } = await open(path);
      const { error } = JSON.parse((await rest()).text);
      return [response.statusCode, error?.code ?? null];
    },
    async close() {
      await panel.close();
      if (db !== database.knex) await db.destroy();
      await database.drop();
    },
  };
}
