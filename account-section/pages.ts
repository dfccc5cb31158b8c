import type { PageRow } from '../section/Page';
import { extendToken } from '../section/pages/extendToken';
import { revokePage, revokeTokens } from '../section/pages/revokeTokens';
import { rotateToken } from '../section/pages/rotateToken';
import { tokenPage, usageCsv } from '../section/pages/token';
import { createToken, newTokenPage } from './newToken';
import { tokensPage } from './tokensPage';

/** All pages of the account section: its own ones, and those of the API section for one token. */
export const pages: readonly PageRow[] = [
  { path: '', get: async () => ({ goTo: 'tokens' }) },
  { path: 'tokens', entry: 'nav.tokens', get: tokensPage },
  { path: 'tokens/new', get: newTokenPage, post: createToken, createsToken: true },
  { path: 'tokens/:id', get: tokenPage },
  { path: 'tokens/:id/usage.csv', get: usageCsv },
  { path: 'tokens/:id/extend', ...extendToken },
  { path: 'tokens/:id/rotate', ...rotateToken, createsToken: true },
  { path: 'tokens/:id/revoke', get: revokePage, post: revokeTokens },
];
