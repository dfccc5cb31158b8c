import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { errorRow } from '../lib/errors/errorCodes';
import { printable } from '../lib/errors/printable';
import { REQUEST_OVER } from '../lib/errors/RequestOver';
import type { HeadStart } from '../lib/limiter/HeadStart';
import { causeFacts, type PanelLog, type RequestLine } from '../lib/log/PanelLog';
import { RequestEnd } from '../lib/operations/RequestEnd';
import { withoutTokens } from '../lib/tokens/tokenFormat';
import { clientAddress, isAddressForgeable } from './clientAddress';
import { describeFinished, type FinishedRequest } from './FinishedRequest';
import { isOver, OpenResponses } from './OpenResponses';
import type { RequestState } from './RequestState';
import { ClientStalled } from './sendPieces';

const REQUEST_ID = /^[\w.-]{1,128}$/;

/**
 * Gives the request its id and writes one line about it when it is over, answered or aborted.
 * The line never holds a token, a hash, a query string, a path that is no endpoint's, or a database error's text.
 */
export function logRequest(
  log: PanelLog,
  routes: ReadonlySet<string>,
  headStart: Pick<HeadStart, 'enter'>,
): Middleware {
  const responses = new OpenResponses();
  return async function logRequest(context, next) {
    const ctx = context as Context;
    const startedAt = performance.now();
    const state: RequestState = {
      id: requestId(ctx.get('X-Request-Id')),
      route: routes.has(ctx.path) ? ctx.path : null,
      clientIp: clientAddress(ctx),
      addressForgeable: isAddressForgeable(ctx),
      addressForwarded: ctx.ips.length > 0,
      secure: ctx.secure,
      // Set by koa-mount.
      mountPath: typeof ctx.mountPath === 'string' ? ctx.mountPath : '',
      end: new RequestEnd(),
      finished: responses.over(ctx).then(() => {
        state.end.come(REQUEST_OVER);
        return describeFinished(ctx, state, startedAt);
      }),
    };
    ctx.state.panelApi = state;
    ctx.set('X-Request-Id', state.id);
    void state.finished.then(headStart.enter());
    void state.finished.then((finished) => log.request(() => requestLine(ctx, state, finished)));
    // The client may have left while the panel's own middleware had the request.
    if (!isOver(ctx)) await next();
  };
}

function requestId(asked: string): string {
  return REQUEST_ID.test(asked) && withoutTokens(asked) === asked ? asked : randomUUID();
}

// That a client left is told by `aborted` alone.
function stalled({ broken }: RequestState): unknown {
  return broken instanceof ClientStalled ? broken : undefined;
}

function requestLine(ctx: Context, state: RequestState, finished: FinishedRequest): RequestLine {
  const { id, token, route, error, clientIp } = state;
  const facts = {
    request_id: id,
    token_id: token?.id ?? null,
    token_name: token ? printable(withoutTokens(token.name)) : null,
    method: printable(withoutTokens(ctx.method), 32),
    route,
    status: finished.status,
    error_code: error?.code ?? null,
    ...causeFacts(error ? error.cause : stalled(state)),
    milliseconds: finished.milliseconds,
    bytes: finished.bytes,
    address: clientIp,
    ...(finished.aborted ? { aborted: true } : {}),
  };
  const failed = error !== undefined && errorRow(error.code).status >= 500 && !errorRow(error.code).intended;
  return { level: failed ? 'error' : 'info', facts };
}
