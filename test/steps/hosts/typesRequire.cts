import Koa = require('koa');
import koaPanelApi = require('koa-panel-api');

// A CommonJS host without `esModuleInterop`.
export function mount(
  db: koaPanelApi.PanelApiOptions['db'],
  logger: koaPanelApi.PanelApiOptions['logger'],
): Koa {
  const app = new Koa();
  const api = koaPanelApi.createPanelApi({ db, logger });
  app.use(api.routes());
  app.use(api.allowedMethods());
  app.use(koaPanelApi.createApiSection({ api, authorize: () => 'ann' }).routes());
  return app;
}
