import { RequestOver } from '../async/Cancellation';
import { errorRow } from '../errors/errorCodes';
import { printable } from '../errors/printable';
import { API_PATH, pathOf } from '../fields/Operation';
import { InvariantBroken } from '../log/InvariantBroken';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import { withoutTokens } from '../tokens/tokenFormat';
import type { ApiRequest, Delivery, RequestListener } from './ApiRequest';

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
    // A mount beside the API is named by its name.
    route: endpoint && ('apart' in endpoint ? endpoint.name : API_PATH + pathOf(endpoint)),
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
