import Koa from 'koa';
import type { PanelApiOptions } from '../../index';
import type { ProviderSourceOptions } from '../../lib/sources/SourceOptions';
import { freshDatabase } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import { DOMAINS, type LongPanel } from './longPanel';
import { openList } from './openList';

export type Provided = ProviderSourceOptions['rows'];

const FIELDS = ['id', 'domain', 'type', 'ssl_status', 'status', 'account_id', 'updated_at'];

/** A panel whose list of domains comes from a function, which each test sets. */
export interface ProviderPanel extends Omit<LongPanel, 'database'> {
  provide(rows: Provided): void;
}

export async function startProviderPanel(
  deadlineMs: number,
  sources: PanelApiOptions['sources'] = {},
  fields = FIELDS,
): Promise<ProviderPanel> {
  const database = await freshDatabase('sqlite');
  const app = new Koa();
  const errors: unknown[] = [];
  app.on('error', (error) => errors.push(error));
  let provided: Provided = () => [];
  const domains = { rows: (query: Parameters<Provided>[0]) => provided(query), fields };
  const panel = await startPanel(
    {
      db: database.knex,
      deadlineMs,
      rateLimit: { requests: 10_000 },
      // The words of these fields are whatever a test gives.
      sources: { ...sources, domains: domains as never },
    },
    app,
  );
  const token = await panel.token();
  const open = (path = DOMAINS, init = {}) => openList(panel.url + path, token, init);
  return {
    panel,
    token,
    errors,
    open,
    async ask(path) {
      const { response, rest } = await open(path);
      const { error } = JSON.parse((await rest()).text);
      return [response.statusCode, error?.code ?? null];
    },
    provide(rows) {
      provided = rows;
    },
    async close() {
      await panel.close();
      await database.drop();
    },
  };
}
