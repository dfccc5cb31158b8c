import { auditRoutes } from './audit/auditRoutes';
import { home } from './home';
import type { PageRoute } from './Page';
import { referenceRoutes } from './reference/referenceRoutes';
import { settingsRoutes } from './settings/settingsRoutes';
import { tokenRoutes } from './tokens/tokenRoutes';

/** Every page of the section. */
export const pages: readonly PageRoute[] = [
  { method: 'get', path: '/', handler: home },
  ...tokenRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...referenceRoutes,
];
