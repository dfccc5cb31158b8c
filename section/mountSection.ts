import Router from '@koa/router';
import type { Context } from 'koa';
import { forOtherHosts, type OtherMounts } from '../middleware/hosts';
import { protectAnswers } from '../middleware/protectAnswers';
import { script, stylesheet } from './assetTexts';
import { securityHeaders } from './crossSite';
import type { PageRow } from './Page';
import type { SectionOptions } from './SectionOptions';
import type { SectionParts } from './SectionParts';
import type { SectionKind } from './SectionRequest';
import { servePage } from './servePage';
import { textTables } from './texts/Texts';

/** The sign of a page of the section's own frame in a browser's tab. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#1f63c9"/><path d="M6 4 3 8l3 4M10 4l3 4-3 4" fill="none" stroke="#fff" stroke-width="1.8"/></svg>';

/** The router of a mounted section. */
export type MountedSection = Router & OtherMounts;

/** Returns the router of a section with these pages: the first row that matches a path handles it. @internal */
export function mountSection(
  options: SectionOptions,
  parts: SectionParts,
  pages: readonly PageRow[],
  kind: SectionKind,
): MountedSection {
  const tables = textTables(options.languages, kind.origin === 'account-section');
  const section = { ...kind, options, parts, tables, entries: pages, protect: protectAnswers() };
  const router = new Router(options.prefix === undefined ? {} : { prefix: options.prefix });
  router.use(securityHeaders);
  for (const { path, get, post, createsToken } of pages) {
    router.get(`/${path}`, servePage(section, get, createsToken));
    if (post) router.post(`/${path}`, servePage(section, post, createsToken));
  }
  const assets = [
    ['icon.svg', 'image/svg+xml', ICON],
    ['section.css', 'text/css; charset=utf-8', stylesheet],
    ['section.js', 'text/javascript; charset=utf-8', script],
  ] as const;
  // They contain nothing secret, and the page for a refused person needs them.
  for (const [name, type, body] of assets)
    router.get(`/assets/${name}`, (ctx) => {
      ctx.status = 200;
      ctx.type = type;
      ctx.body = body;
      section.protect(ctx as Context);
    });
  return forOtherHosts(router, { prefix: options.prefix ?? '', log: parts.log });
}
