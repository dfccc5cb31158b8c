import { RequestOver } from '../async/Cancellation';
import { errorRow } from '../errors/errorCodes';
import { printable } from '../errors/printable';
import { InvariantBroken } from '../log/InvariantBroken';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import type { TokenEvents } from '../tokens/TokenEvents';
import { withoutTokens } from '../tokens/tokenFormat';
import type { Usage } from '../usage/Usage';
import type { ApiRequest, Delivery, RequestListener } from './ApiRequest';
import { routeOf } from './Endpoint';

/** Writes one log line per request, without tokens, hashes, query strings, unknown paths and texts of a database. */
export function logRequests(log: PanelLog, tokenPrefix: string): RequestListener {
  return (request, delivery) => {
    const row = request.error && errorRow(request.error.code);
    const failed = row !== null && row.status >= 500 && !row.intended;
    log.write(failed ? 'error' : 'info', 'panel-api request', requestFacts(request, delivery, tokenPrefix));
    const cause = request.error?.cause;
    if (!(cause instanceof InvariantBroken)) return;
    const broken = { request_id: request.arrival.id, invariant: cause.facts.cause_invariant };
    log.write('error', 'panel-api invariant broken', broken);
  };
}

/**
 * Counts every authenticated request as a use of its token, including those beyond the limit and those that ended
 * before authentication, for example at the deadline, because the limit counts them too. Notes every error that is
 * answered to a known token, also to one that has ended.
 */
export function countUses(usage: Usage): RequestListener {
  return async ({ token: found, use, arrival, error }, { status }) => {
    const endpoint = arrival.endpoint?.name ?? null;
    if (found && error)
      usage.refuse({
        tokenId: found.id,
        at: found.readAt,
        endpoint,
        code: error.code,
        requestId: arrival.id,
      });
    const { token } = await use;
    usage.count({ token, endpoint, status });
  };
}

/** Tells the panel what the request has shown about its token. */
export function tellEvents(events: TokenEvents): RequestListener {
  return async ({ token, use }) => {
    if (token && token.state !== 'active') return events.ended(token);
    const used = await use;
    return events.used(used.token, used.address);
  };
}

function requestFacts(request: ApiRequest, delivery: Delivery, tokenPrefix: string): object {
  const { token, tool, error, broken, milliseconds } = request;
  const { id, method, endpoint, clientIp } = request.arrival;
  const { status, bytes, aborted } = delivery;
  // `aborted` alone means that the client has disconnected.
  const cause = error ? error.cause : broken instanceof RequestOver ? undefined : broken;
  return {
    request_id: id,
    token_id: token?.id ?? null,
    token_name: token && printable(withoutTokens(token.name, tokenPrefix)),
    method: printable(withoutTokens(method, tokenPrefix), 32),
    route: endpoint && routeOf(endpoint),
    ...(tool === null ? {} : { tool }),
    status,
    error_code: error?.code ?? null,
    ...causeFacts(cause),
    milliseconds,
    bytes,
    address: clientIp,
    ...(aborted ? { aborted: true } : {}),
  };
}
