import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { type ApiSectionOptions, checkSectionOptions } from './ApiSectionOptions';
import { securityHeaders } from './forms';
import { FormKey } from './formTokens';
import { auditPage } from './pages/audit';
import { auditCsv, auditJson } from './pages/auditDownloads';
import { createToken } from './pages/createToken';
import { newTokenPage } from './pages/newToken';
import { referencePage } from './pages/reference';
import { reviewTokenPage } from './pages/reviewToken';
import { rotateToken, rotateTokenPage } from './pages/rotateToken';
import { changeSettings, settingsPage } from './pages/settings';
import { revokeToken, revokeTokenPage, tokenPage } from './pages/token';
import { tokensPage } from './pages/tokens';
import type { PageHandler, PageRoute } from './SectionRequest';
import { servePage } from './servePage';

/** The pages about tokens. */
const tokenRoutes: readonly PageRoute[] = [
  { method: 'get', path: '/tokens', handler: tokensPage },
  { method: 'post', path: '/tokens', handler: createToken },
  { method: 'get', path: '/tokens/new', handler: newTokenPage },
  { method: 'get', path: '/tokens/review', handler: reviewTokenPage },
  { method: 'get', path: '/tokens/:id', handler: tokenPage },
  { method: 'get', path: '/tokens/:id/revoke', handler: revokeTokenPage },
  { method: 'post', path: '/tokens/:id/revoke', handler: revokeToken },
  { method: 'get', path: '/tokens/:id/rotate', handler: rotateTokenPage },
  { method: 'post', path: '/tokens/:id/rotate', handler: rotateToken },
];

/** The pages about the audit trail. */
const auditRoutes: readonly PageRoute[] = [
  { method: 'get', path: '/audit', handler: auditPage },
  { method: 'get', path: '/audit.csv', handler: auditCsv },
  { method: 'get', path: '/audit.json', handler: auditJson },
];

/** The page about the module's settings. */
const settingsRoutes: readonly PageRoute[] = [
  { method: 'get', path: '/settings', handler: settingsPage },
  { method: 'post', path: '/settings', handler: changeSettings },
];

/** The page about the endpoints. */
const referenceRoutes: readonly PageRoute[] = [{ method: 'get', path: '/reference', handler: referencePage }];

/** Leads to the first page. */
const home: PageHandler = async () => ({ goTo: 'tokens' });

/** Every page of the section. */
const pages: readonly PageRoute[] = [
  { method: 'get', path: '/', handler: home },
  ...tokenRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...referenceRoutes,
];

const FILES = {
  'section.css': 'text/css; charset=utf-8',
  'section.js': 'text/javascript; charset=utf-8',
} as const;

/** A file that pages refer to, and what answers there. */
interface Asset {
  readonly path: string;
  readonly handler: Middleware;
}

/**
 * The stylesheet and the script of the pages. They are for everybody: nothing in them is secret, and the page for
 * whoever is refused needs them too.
 */
const assets: readonly Asset[] = Object.entries(FILES).map(([name, type]) => {
  const body = readFileSync(join(__dirname, 'assets', name), 'utf8');
  const handler: Middleware = (ctx) => {
    ctx.status = 200;
    ctx.type = type;
    ctx.body = body;
  };
  return { path: `/assets/${name}`, handler };
});

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
