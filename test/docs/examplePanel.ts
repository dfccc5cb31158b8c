import type { Knex } from 'knex';
import Koa from 'koa';
import {
  createMcp,
  createMetrics,
  createPanelApi,
  type PanelApi,
  type PanelApiOptions,
  type Sources,
} from '../../index';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, startPanel } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { recordingLogger } from '../fixture/recordingLogger';

export interface ExamplePanel {
  readonly url: string;
  /** The SQLite file of its tables. */
  readonly file: string;
  /** A token with every scope, with the id 1. */
  readonly token: string;
  /** The text of a module that exports the options of its mount, without the database. */
  readonly config: string;
}

const SOURCES: Sources = {
  services: { units: [{ unit: 'nginx' }, { unit: 'cron' }] },
  settings: { keys: ['panel.name', 'backup.keep_days'] },
};

const PANEL = { name: 'Example Panel', version: '1.4.0' };

/** The panel that the pages speak of: rows in each list, the API switched on with metrics and the MCP server, and a token. */
export async function startExamplePanel(): Promise<ExamplePanel> {
  const { knex, url: databaseUrl } = await exampleDatabase();
  const options = { db: knex, sources: SOURCES, panel: PANEL };
  const panel = await startPanel(options, new Koa(), (api) => [
    createMetrics({ api }).routes() as Koa.Middleware,
    createMcp({ api }).routes() as Koa.Middleware,
  ]);
  await panel.api.settings.enable(AUTHOR);
  const author = { actor: 'admin', origin: 'panel' } as const;
  const { token } = await panel.api.tokens.create(
    { name: 'Monitoring', scopes: ['*'], expiresInSeconds: 90 * 86400 },
    author,
  );
  const file = databaseUrl.replace(/^sqlite:/, '');
  return { url: panel.url, file, token, config: configOf(file) };
}

/** The values that the fragments of a page use, over a panel of their own. */
export interface FragmentPanel {
  readonly app: Koa;
  readonly db: Knex;
  readonly logger: PanelApiOptions['logger'];
  readonly api: PanelApi;
  readonly author: typeof AUTHOR;
}

export async function createFragmentPanel(): Promise<FragmentPanel> {
  const { knex: db } = await exampleDatabase();
  const { logger } = recordingLogger();
  const api = createPanelApi({ db, logger, sources: SOURCES, deadlineMs: 30_000 });
  await api.settings.enable(AUTHOR);
  await api.tokens.create({ name: 'Monitoring', scopes: ['*'] }, AUTHOR);
  return { app: new Koa(), db, logger, api, author: AUTHOR };
}

async function exampleDatabase(): Promise<{ readonly knex: Knex; readonly url: string }> {
  const database = await freshDatabase('sqlite');
  await createFilledTables(database.knex);
  const account = { role: 'customer', status: 'active', created_at: '2026-06-12 00:00:00' };
  await database.knex('accounts').insert([
    { ...account, username: 'bert', email: 'bert@example.org' },
    { ...account, username: 'carla', email: 'carla@example.org', status: 'suspended' },
  ]);
  await database.knex('accounts').where({ username: 'anna' }).update({
    primary_domain: 'shop.example',
    plan: 'Small',
    bandwidth_used_bytes: 3221225472,
    bandwidth_limit_bytes: 53687091200,
  });
  // A check of backups and of certificates says the same on every day.
  const backup = { status: 'succeeded', scope: 'account', finished_at: inDays(0) };
  await database.knex('backups').insert([1, 2].map((id) => ({ ...backup, account_id: id })));
  await database.knex('ssl').update({ expires_at: inDays(60) });
  const domain = {
    type: 'primary',
    ssl_status: 'active',
    status: 'active',
    created_at: '2026-06-12 00:00:00',
  };
  await database.knex('domains').insert([
    { ...domain, domain: 'blog.example', account_id: 2 },
    { ...domain, domain: 'news.example', account_id: 2, ssl_status: 'expired' },
  ]);
  return database;
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

function configOf(file: string): string {
  return `const knex = require('knex');

module.exports = {
  db: knex({ client: 'better-sqlite3', connection: { filename: '${file}' }, useNullAsDefault: true }),
  sources: ${JSON.stringify(SOURCES)},
};
`;
}
