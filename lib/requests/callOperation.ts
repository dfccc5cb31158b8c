import { clientAddress } from '../addresses/clientAddress';
import { withTimeout } from '../async/withTimeout';
import { ApiError } from '../errors/ApiError';
import { errorRow } from '../errors/errorCodes';
import type { ObjectOf } from '../fields';
import type { Figures } from '../lists/figures';
import type { ListAnswers } from '../lists/ListAnswers';
import type { Operation } from '../operations/Operation';
import { type RequestsUnderWay, requestId } from './ApiRequest';
import { readRequest } from './answerRequest';
import { asApiError, deadlineError } from './asApiError';
import type { Endpoint } from './Endpoint';
import { type CheckParts, passChecks, type Query } from './passChecks';

/** A call of an operation: what an HTTP request contains in its path, query and headers. */
interface OperationCall<O extends Operation> {
  readonly operation: O;
  /** The token; null if there is none. */
  readonly bearer: string | null;
  /** The address of the client. */
  readonly clientIp: string;
  /** Whether clients can forge their address. Default false. */
  readonly addressForgeable?: boolean;
  /** Whether the request was sent over HTTPS. */
  readonly secure: boolean;
  /** The parameters of the endpoint's query. A list without `limit` is read in pages of 100. */
  readonly parameters?: Exclude<Query, string>;
  /**
   * Identifies the request in the log. Default: random, also if it contains a token or is not 1 to 128 letters, digits,
   * `_`, `.` and `-`.
   */
  readonly id?: string;
}

/** The result of an operation: an object, or a page of a list. */
type OperationResult<O extends Operation> = O['kind'] extends 'object'
  ? ObjectOf<O['fields']>
  : {
      readonly items: readonly Partial<ObjectOf<O['fields']>>[];
      /** For the parameter `cursor`; null on the last page. */
      readonly nextCursor: string | null;
    } & Partial<Figures>;

/** The parts of a mount that a call needs. */
interface CallParts extends CheckParts {
  readonly endpoints: readonly Endpoint[];
  readonly requests: RequestsUnderWay;
  readonly lists: ListAnswers;
  readonly options: { readonly deadlineMs: number; readonly tokenPrefix: string };
}

/**
 * Calls an operation without HTTP: with the same checks of switch, HTTPS, token, addresses, limit, scope and account as
 * a request to its endpoint, the same log line and the same counts. If the operation is refused or fails, it resolves
 * with the ApiError. It never rejects.
 */
export async function callOperation<const O extends Operation>(
  { operation, bearer, clientIp, addressForgeable = false, secure, parameters = {}, id }: OperationCall<O>,
  parts: CallParts,
): Promise<OperationResult<O> | ApiError> {
  const arrival = {
    id: requestId(id, parts.options.tokenPrefix),
    method: null,
    endpoint: parts.endpoints.find(({ name }) => name === operation.name) ?? null,
    clientIp: clientAddress({ ip: clientIp }),
    addressForgeable,
    addressForwarded: addressForgeable,
    secure,
    prefix: '',
    origin: null,
  };
  const request = parts.requests.open(arrival, bearer);
  const answer = passChecks(request, parameters, parts, (asked) => readRequest(asked, parts.lists));
  const result = await withTimeout(answer, parts.options.deadlineMs, deadlineError).catch(asApiError);
  if (result instanceof ApiError) request.fail(result);
  const status = result instanceof ApiError ? errorRow(result.code).status : 200;
  request.finish({ status, aborted: false, bytes: 0 });
  // The result has the fields that the operation declares.
  return result as OperationResult<O> | ApiError;
}
