import type { Context, Middleware } from 'koa';
import { isAllowed } from '../lib/addresses/addresses';
import { ApiError } from '../lib/errors/ApiError';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { bearerToken } from './bearerToken';
import { requestState } from './RequestState';

/** Lets nobody through but the bearer of a token that is good. */
export function authenticate(): Middleware {
  return async function authenticate(ctx, next) {
    const { token, clientIp } = requestState(ctx);
    if (!token) throw new ApiError(bearerToken(ctx as Context) === null ? 'token_missing' : 'token_unknown');
    refuseUnfit(token, clientIp);
    await next();
  };
}

function refuseUnfit({ state, allowedAddresses }: TokenRecord, address: string): void {
  if (state === 'revoked') throw new ApiError('token_revoked');
  if (state === 'expired') throw new ApiError('token_expired');
  if (!isAllowed(address, allowedAddresses)) throw new ApiError('ip_not_allowed', { address });
}
