import Koa from 'koa';
import { createApiSection, createPanelApi, type PanelApiOptions } from 'koa-panel-api';
import { createClient, type Item } from 'koa-panel-api/client';
import { createLogger } from 'winston';

interface HostState {
  user?: string;
}

// Compiled against the packed module, to see that its types stand by themselves in a strict host of any state.
export function mount(db: PanelApiOptions['db']): Koa<HostState> {
  const app = new Koa<HostState>();
  const api = createPanelApi({ db, logger: createLogger(), panel: { name: 'Host' } });
  app.use(api.routes());
  app.use(createApiSection({ api, authorize: (ctx) => ctx.state.user, prefix: '/admin/api' }).routes());
  return app;
}

export async function read(): Promise<Item<'domains'>[]> {
  const client = createClient({ baseUrl: 'https://panel.example', token: 'x' });
  for await (const { status } of client.accounts({ fields: ['status'] })) if (status === 'active') break;
  const { items } = await client.domains.page({ status: 'active' });
  return [...items];
}
