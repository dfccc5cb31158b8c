import Koa from 'koa';
import { createPanelApi, type PanelApiOptions } from 'koa-panel-api';
import { createLogger } from 'winston';

interface HostState {
  user?: string;
}

// Compiled against the packed module, to see that its types stand by themselves in a strict host of any state.
export function mount(db: PanelApiOptions['db']): Koa<HostState> {
  const app = new Koa<HostState>();
  app.use(createPanelApi({ db, logger: createLogger(), panel: { name: 'Host' } }).routes());
  return app;
}
