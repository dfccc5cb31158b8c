import type { Context } from 'koa';
import {
  clientAddress,
  isAddressForgeable,
  publicPrefix,
  requestOrigin,
} from '../lib/addresses/requestOrigin';
import { type ApiRequest, type Arrival, type RequestsUnderWay, requestId } from '../lib/requests/ApiRequest';
import type { Endpoint } from '../lib/requests/Endpoint';
import { deliveryOf, isOver } from './responseEnds';

const BEARER = /^bearer +(\S.*)$/i;

/**
 * Gives the request its id, and finishes it when it was answered or aborted: then its log line is written. `endpoint`
 * is null for an unknown path.
 */
export function openRequest(
  endpoint: Endpoint | null,
  requests: RequestsUnderWay,
  ended: (ctx: Context) => Promise<void>,
  tokenPrefix: string,
) {
  return async (ctx: Context, next: (request: ApiRequest) => Promise<void>): Promise<void> => {
    const request = requests.open(arrivalOf(ctx, endpoint, tokenPrefix), bearerToken(ctx));
    void ended(ctx).then(() => request.finish(deliveryOf(ctx, request)));
    ctx.set('X-Request-Id', request.arrival.id);
    // The client may have disconnected in the panel's own middleware.
    if (!isOver(ctx)) await next(request);
  };
}

function arrivalOf(ctx: Context, endpoint: Endpoint | null, tokenPrefix: string): Arrival {
  return {
    id: requestId(ctx.get('X-Request-Id'), tokenPrefix),
    method: ctx.method,
    endpoint,
    clientIp: clientAddress(ctx),
    addressForgeable: isAddressForgeable(ctx),
    addressForwarded: ctx.ips.length > 0,
    secure: ctx.secure,
    // Few endpoints show these. V8 would keep a getter of this object, and the request with it, until the next full
    // collection.
    origin: () => requestOrigin(ctx),
    prefix: () => publicPrefix(ctx),
  };
}

function bearerToken(ctx: Context): string | null {
  // Node would silently keep the first of several headers.
  let sent = 0;
  const { rawHeaders } = ctx.req;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'authorization') sent += 1;
  if (sent > 1) return '';
  return BEARER.exec(ctx.get('Authorization'))?.[1]?.trimEnd() ?? null;
}
