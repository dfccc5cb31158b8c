import Koa from 'koa';
import { createAccountSection, createApiSection, createPanelApi, type PanelApiOptions } from 'koa-panel-api';
import type { AccountSectionOptions } from 'koa-panel-api/account-section';
import { createMcp, type Mcp } from 'koa-panel-api/assistants';
import { createClient, type Item } from 'koa-panel-api/client';
import { FileStore } from 'koa-panel-api/client/node';
import { createMetrics, type MetricsOptions } from 'koa-panel-api/metrics';
import type { ApiSectionOptions } from 'koa-panel-api/section';
import { createLogger } from 'winston';

interface HostState {
  user?: string;
}

// Compiled against the packed module, to see that its types stand by themselves in a strict host of any state.
export function mount(db: PanelApiOptions['db']): Koa<HostState> {
  const app = new Koa<HostState>();
  const api = createPanelApi({ db, logger: createLogger(), panel: { name: 'Host' } });
  app.use(api.routes());
  const section: ApiSectionOptions = { api, authorize: (ctx) => ctx.state.user, prefix: '/admin/api' };
  app.use(createApiSection(section).routes());
  const accounts: AccountSectionOptions = {
    api,
    account: () => ({ id: 7, name: 'bert' }),
    fresh: () => true,
  };
  app.use(createAccountSection(accounts).routes());
  const metrics: MetricsOptions = { api };
  app.use(createMetrics(metrics).routes());
  const mcp: Mcp = createMcp({ api });
  app.use(mcp.routes());
  return app;
}

export async function read(): Promise<Item<'domains'>[]> {
  const client = createClient({ baseUrl: 'https://panel.example', token: 'x' });
  for await (const { status } of client.accounts({ fields: ['status'] })) if (status === 'active') break;
  const { items } = await client.domains.page({ status: 'active' });
  const { complete } = await client.sync('domains', new FileStore<Item<'domains'>>('domains.copy'));
  return complete ? [...items] : [];
}
