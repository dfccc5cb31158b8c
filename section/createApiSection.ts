import Router from '@koa/router';
import type { Context } from 'koa';
import { forNode, type HandlerOptions, type NodeHandler } from '../middleware/nodeHandler';
import { protectAnswers } from '../middleware/protectAnswers';
import { type ApiSectionOptions, checkSectionOptions } from './ApiSectionOptions';
import { script, stylesheet } from './assetTexts';
import { securityHeaders } from './crossSite';
import { pages } from './pages';
import { servePage } from './servePage';
import { textTables } from './texts/Texts';

export type { ApiSectionOptions, LayoutParts } from './ApiSectionOptions';
export type { SectionTexts } from './texts';

/** The router of a mounted section. */
export type ApiSection = Router & {
  /** Returns a handler for panels that are not Koa, as that of the API. */
  readonly handler: (options?: HandlerOptions) => NodeHandler;
};

/**
 * Creates the API section: pages on which an administrator turns the API on, creates and revokes tokens and reads the
 * audit trail. Mount it behind the panel's own login: `app.use(createApiSection({ api, authorize }).routes())`. It
 * answers only its own paths; all other requests go on to the panel. Throws a TypeError that names a missing, unknown
 * or wrong option.
 */
export function createApiSection(options: ApiSectionOptions): ApiSection {
  const parts = checkSectionOptions(options);
  const section = { options, parts, tables: textTables(options.languages), protect: protectAnswers() };
  const router = new Router(options.prefix === undefined ? {} : { prefix: options.prefix });
  router.use(securityHeaders);
  for (const { path, get, post, createsToken } of pages) {
    router.get(`/${path}`, servePage(section, get));
    if (post) router.post(`/${path}`, servePage(section, post, createsToken));
  }
  const assets = [
    ['section.css', 'text/css; charset=utf-8', stylesheet],
    ['section.js', 'text/javascript; charset=utf-8', script],
  ] as const;
  // Without `authorize`: they contain nothing secret, and the page for a refused person needs them.
  for (const [name, type, body] of assets)
    router.get(`/assets/${name}`, (ctx) => {
      ctx.status = 200;
      ctx.type = type;
      ctx.body = body;
      section.protect(ctx as Context);
    });
  return forNode(router, { prefix: options.prefix ?? '', log: parts.log });
}
