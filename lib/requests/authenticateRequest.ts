import { isAllowed, isLoopback } from '../addresses/addresses';
import { ApiError } from '../errors/ApiError';
import type { RequestSettings } from '../settings/RequestSettings';
import type { TokenLookup } from '../tokens/TokenLookup';
import type { RequestToken } from '../tokens/TokenRecord';
import { isTokenShaped, tokenHash } from '../tokens/tokenFormat';
import type { ApiRequest, Arrival } from './ApiRequest';

/** A request with a valid token. */
export interface Authenticated {
  readonly request: ApiRequest;
  readonly token: RequestToken;
  readonly settings: RequestSettings;
}

/**
 * Looks up the settings and the token, for every request. First throws ApiError `api_disabled` if the API is off, and
 * `https_required` for a request without HTTPS if the settings require it, without looking up a token. Then throws an
 * ApiError if the token is missing, unknown, revoked or expired, or `ip_not_allowed`.
 */
export async function authenticateRequest(
  request: ApiRequest,
  tokenLookup: TokenLookup,
): Promise<Authenticated> {
  const { arrival, bearer } = request;
  if (await tokenLookup.isOffByPanel()) throw new ApiError('api_disabled');
  const lookUp = async (hash: Buffer | null) => {
    const { settings, token } = await tokenLookup.ask(hash);
    if (!settings) throw new ApiError('api_disabled');
    return { settings, token };
  };
  // The token is looked up together with the settings, unless these may forbid it.
  if (!mayBearToken(arrival) && (await lookUp(null)).settings.httpsRequired)
    throw new ApiError('https_required');
  const isToken = bearer !== null && isTokenShaped(bearer);
  const { settings, token } = await lookUp(isToken ? tokenHash(bearer) : null);
  // The log names the token even if it is refused below.
  request.token = token;
  if (!token) throw new ApiError(bearer === null ? 'token_missing' : 'token_unknown');
  if (token.state === 'revoked') throw new ApiError('token_revoked');
  if (token.state === 'expired') throw new ApiError('token_expired');
  if (!isAllowed(arrival.clientIp, token.allowedAddresses))
    throw new ApiError('ip_not_allowed', { address: arrival.clientIp });
  request.authenticated({ token, address: settings.lastUsedAddress ? arrival.clientIp : null });
  return { request, token, settings };
}

/**
 * Whether no setting can forbid a token in this request. A request from the server itself crosses no network. One
 * without an address, as over a Unix-domain socket, may be from anywhere, like one with an address that the client may
 * have forged.
 */
function mayBearToken({ secure, clientIp, addressForgeable, addressForwarded }: Arrival): boolean {
  return secure || (isLoopback(clientIp) && !(addressForgeable && addressForwarded));
}
