import type { PageRoute } from '../Page';
import { changeSettings, settingsPage } from './settingsPage';

/** The page about the module's settings. */
export const settingsRoutes: readonly PageRoute[] = [
  { method: 'get', path: '/settings', handler: settingsPage },
  { method: 'post', path: '/settings', handler: changeSettings },
];
