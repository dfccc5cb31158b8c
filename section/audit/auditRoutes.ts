import type { PageRoute } from '../Page';
import { auditCsv, auditJson } from './auditDownloads';
import { auditPage } from './auditPage';

/** The pages about the audit trail. */
export const auditRoutes: readonly PageRoute[] = [
  { method: 'get', path: '/audit', handler: auditPage },
  { method: 'get', path: '/audit.csv', handler: auditCsv },
  { method: 'get', path: '/audit.json', handler: auditJson },
];
