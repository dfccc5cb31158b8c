import Router from '@koa/router';
import type { ApiSectionOptions } from './ApiSectionOptions';
import { assets } from './assets';
import { checkSectionOptions } from './checkSectionOptions';
import { pages } from './pages';
import { FormKey } from './safety/FormKey';
import { securityHeaders } from './safety/securityHeaders';
import { servePage } from './servePage';

/**
 * The pages by which an administrator switches the API on, makes tokens and ends them, to be mounted behind the
 * panel's own login with `app.use(createApiSection({ api, authorize }).routes())`. It answers its own pages alone;
 * all else goes on to the panel. Throws a TypeError that names an option which is missing, unknown or wrong.
 */
export function createApiSection(options: ApiSectionOptions): Router {
  const installation = checkSectionOptions(options);
  const section = { options, installation, formKey: new FormKey(installation) };
  const router = new Router(options.prefix === undefined ? {} : { prefix: options.prefix });
  router.use(securityHeaders);
  for (const { method, path, handler } of pages) router[method](path, servePage(section, handler));
  for (const { path, handler } of assets) router.get(path, handler);
  return router;
}
