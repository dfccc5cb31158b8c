import type { Context, Middleware } from 'koa';
import { isAllowed } from '../lib/addresses/isAllowed';
import { ApiError } from '../lib/errors/ApiError';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { Tokens } from '../lib/tokens/Tokens';
import { isTokenShaped } from '../lib/tokens/tokenFormat';
import { requestState } from './RequestState';

const BEARER = /^bearer +(\S.*)$/i;

/** Looks the bearer token up in the database, in every request, and notes its use. */
export function authenticate(tokens: Tokens): Middleware {
  return async function authenticate(ctx, next) {
    const token = bearerToken(ctx as Context);
    const record = isTokenShaped(token) ? await tokens.find(token) : null;
    // A token that is refused is named in the log all the same.
    const state = requestState(ctx);
    if (record) state.token = record;
    await tokens.touch(accept(record, state.clientIp));
    await next();
  };
}

function bearerToken(ctx: Context): string {
  // Node would quietly keep the first of several.
  const sent = ctx.req.rawHeaders.filter((name, index) => index % 2 === 0 && /^authorization$/i.test(name));
  if (sent.length > 1) throw new ApiError('token_unknown');
  const token = BEARER.exec(ctx.get('Authorization'))?.[1];
  if (token === undefined) throw new ApiError('token_missing');
  return token.trimEnd();
}

function accept(record: TokenRecord | null, address: string): TokenRecord {
  if (!record) throw new ApiError('token_unknown');
  if (record.state === 'revoked') throw new ApiError('token_revoked');
  if (record.state === 'expired') throw new ApiError('token_expired');
  if (!isAllowed(address, record.allowedAddresses)) throw new ApiError('ip_not_allowed', { address });
  return record;
}
