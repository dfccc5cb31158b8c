import type { Context, Middleware } from 'koa';
import { isLoopback } from '../lib/addresses/addresses';
import { ApiError } from '../lib/errors/ApiError';
import type { RequestSettings } from '../lib/settings/Setting';
import type { Admitted, TokenLookup } from '../lib/tokens/TokenLookup';
import { isTokenShaped, tokenHash } from '../lib/tokens/tokenFormat';
import { bearerToken } from './bearerToken';
import { type RequestState, requestState } from './RequestState';

/**
 * Reads the settings and the token, in every request. Answers 503 `api_disabled` while the API is off, and 403
 * `https_required` for what came without HTTPS where the settings ask for it, both before a token is read.
 */
export function admit(tokenLookup: TokenLookup): Middleware {
  return async function admit(ctx, next) {
    const state = requestState(ctx);
    if (await tokenLookup.isOffByPanel()) throw new ApiError('api_disabled');
    const ask = async (hash: Buffer | null) => switchedOn(await tokenLookup.ask(hash));
    // The token comes with the settings, unless they may forbid to read it.
    if (!mayBearToken(state) && (await ask(null)).settings.httpsRequired)
      throw new ApiError('https_required');
    const token = bearerToken(ctx as Context) ?? '';
    const found = await ask(isTokenShaped(token) ? tokenHash(token) : null);
    state.settings = found.settings;
    // One that is refused further on is named in the log all the same.
    if (found.token) state.token = found.token;
    await next();
  };
}

/**
 * Whether no setting can forbid a token in it: what comes from the server itself crosses no network. A request without
 * an address, as over a unix-domain socket, may come from anywhere, and so may one whose client wrote the address.
 */
function mayBearToken({ secure, clientIp, addressForgeable, addressForwarded }: RequestState): boolean {
  return secure || (isLoopback(clientIp) && !(addressForgeable && addressForwarded));
}

function switchedOn({ settings, token }: Admitted): Admitted & { readonly settings: RequestSettings } {
  if (!settings) throw new ApiError('api_disabled');
  return { settings, token };
}
