import type { PageRoute } from '../Page';
import { referencePage } from './referencePage';

/** The page about the endpoints. */
export const referenceRoutes: readonly PageRoute[] = [
  { method: 'get', path: '/reference', handler: referencePage },
];
