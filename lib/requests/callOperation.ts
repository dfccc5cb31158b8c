import { clientAddress } from '../addresses/clientAddress';
import { withTimeout } from '../async/withTimeout';
import { ApiError } from '../errors/ApiError';
import { errorRow } from '../errors/errorCodes';
import type { ObjectOf } from '../fields';
import type { ListAnswers } from '../lists/ListAnswers';
import type { Operation } from '../operations/Operation';
import type { Source } from '../sources/Source';
import type { TokenLookup } from '../tokens/TokenLookup';
import { type ApiRequest, type RequestsUnderWay, requestId } from './ApiRequest';
import { readParameters, readRequest } from './answerRequest';
import { asApiError, deadlineError } from './asApiError';
import { authenticateRequest } from './authenticateRequest';
import { authorizeRequest } from './authorizeRequest';
import type { Endpoint } from './Endpoint';
import type { RequestLimits } from './RequestLimits';

/** A call of an operation: what a request over HTTP says in its path, query and headers. */
interface OperationCall<O extends Operation> {
  readonly operation: O;
  /** The token; null if the request bears none. */
  readonly bearer: string | null;
  /** The address of the client. */
  readonly clientIp: string;
  /** Whether clients can write their address themselves. Default false. */
  readonly addressForgeable?: boolean;
  /** Whether the request came over HTTPS. */
  readonly secure: boolean;
  /** The parameters of the endpoint's query. A list without `limit` is read by pages of 100. */
  readonly parameters?: URLSearchParams | Readonly<Record<string, string>>;
  /**
   * Names the request in the log. A random one takes its place if there is none, if it holds a token, or if it is not
   * 1 to 128 letters, digits, `_`, `.` and `-`.
   */
  readonly id?: string;
}

/** What an operation returns: an object, or a page of a list. */
type OperationResult<O extends Operation> = O['kind'] extends 'object'
  ? ObjectOf<O['fields']>
  : {
      readonly items: readonly Partial<ObjectOf<O['fields']>>[];
      /** For the parameter `cursor`; null on the last page. */
      readonly nextCursor: string | null;
    };

/** The parts of a mount that a call goes through. */
interface CallParts {
  readonly endpoints: readonly Endpoint[];
  readonly requests: RequestsUnderWay;
  readonly tokenLookup: TokenLookup;
  readonly limits: RequestLimits;
  readonly sources: ReadonlyMap<string, Source>;
  readonly lists: ListAnswers;
  readonly options: { readonly deadlineMs: number };
}

/**
 * Calls an operation without HTTP, through the same switch, HTTPS rule, look-up, addresses, limit, scope and account
 * as a request to its endpoint, with the same line in the log and the same counts. An operation that is refused or fails
 * resolves with the ApiError; it never rejects.
 */
export async function callOperation<const O extends Operation>(
  { operation, bearer, clientIp, addressForgeable = false, secure, parameters, id }: OperationCall<O>,
  parts: CallParts,
): Promise<OperationResult<O> | ApiError> {
  const arrival = {
    id: requestId(id),
    method: null,
    endpoint: parts.endpoints.find(({ name }) => name === operation.name) ?? null,
    clientIp: clientAddress({ ip: clientIp }),
    addressForgeable,
    addressForwarded: addressForgeable,
    secure,
    mountPath: '',
  };
  const request = parts.requests.open(arrival, bearer);
  const answer = answerCall(request, parameters, parts);
  const result = await withTimeout(answer, parts.options.deadlineMs, deadlineError).catch(asApiError);
  if (result instanceof ApiError) request.fail(result);
  const status = result instanceof ApiError ? errorRow(result.code).status : 200;
  request.finish({ status, aborted: false, bytes: 0 });
  // The result has the fields that the operation declares.
  return result as OperationResult<O> | ApiError;
}

async function answerCall(
  request: ApiRequest,
  parameters: OperationCall<Operation>['parameters'],
  { tokenLookup, limits, sources, lists }: CallParts,
): Promise<object> {
  const authenticated = await authenticateRequest(request, tokenLookup);
  return limits.pass(authenticated, async (limited) => {
    const authorized = await authorizeRequest(limited, sources);
    return readRequest(readParameters(authorized, new URLSearchParams(parameters)), lists);
  });
}
