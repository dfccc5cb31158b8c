import type { PageRoute } from '../Page';
import { makeToken } from './makeToken';
import { newTokenPage } from './newTokenPage';
import { reviewTokenPage } from './reviewTokenPage';
import { revokeToken, revokeTokenPage } from './revokeTokenPage';
import { rotateToken, rotateTokenPage } from './rotateTokenPage';
import { tokenPage } from './tokenPage';
import { tokensPage } from './tokensPage';

/** The pages about tokens. */
export const tokenRoutes: readonly PageRoute[] = [
  { method: 'get', path: '/tokens', handler: tokensPage },
  { method: 'post', path: '/tokens', handler: makeToken },
  { method: 'get', path: '/tokens/new', handler: newTokenPage },
  { method: 'get', path: '/tokens/review', handler: reviewTokenPage },
  { method: 'get', path: '/tokens/:id', handler: tokenPage },
  { method: 'get', path: '/tokens/:id/revoke', handler: revokeTokenPage },
  { method: 'post', path: '/tokens/:id/revoke', handler: revokeToken },
  { method: 'get', path: '/tokens/:id/rotate', handler: rotateTokenPage },
  { method: 'post', path: '/tokens/:id/rotate', handler: rotateToken },
];
