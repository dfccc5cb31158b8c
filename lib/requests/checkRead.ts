import type { AccountList } from '../accounts/AccountList';
import { TokenAccounts } from '../accounts/TokenAccounts';
import { ApiError, refuseParameter } from '../errors/ApiError';
import { writtenValue } from '../errors/printable';
import { grants } from '../fields/Operation';
import { findList, type ServedList } from '../lists/findList';
import type { ListRequest } from '../lists/ListAnswers';
import { parseListQuery, parseObjectQuery, shownName } from '../lists/parseListQuery';
import { ensure } from '../log/InvariantBroken';
import type { RequestSettings } from '../settings/RequestSettings';
import type { Source } from '../sources/Source';
import type { RequestToken } from '../tokens/TokenRecord';
import type { Authenticated } from './authenticateRequest';
import type { Endpoint, ObjectEndpoint } from './Endpoint';

/** What a request gives as its parameters: a part of its URL, or names with a decoded text or several values. */
export type GivenQuery = string | Readonly<Record<string, string | readonly string[]>>;

/** A checked request for an object. */
export interface ObjectQuery extends Authenticated {
  readonly endpoint: ObjectEndpoint;
  /** The accounts of the token; null for all. */
  readonly tokenAccounts: TokenAccounts | null;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A request that has passed all checks: which object to load, or what to read of a list. */
export type Query = ObjectQuery | ListRequest;

export interface AccessParts {
  readonly sources: ReadonlyMap<string, Source>;
  readonly accounts: AccountList;
  readonly options: { readonly tokenPrefix: string };
}

/** A token, and what the settings say about the accounts of tokens. */
interface ReadingToken {
  readonly token: RequestToken;
  readonly settings: Pick<RequestSettings, 'suspendedAccounts'>;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Passes a request through the checks of its path and method, its scope and account, and its query. */
export async function checkRequest(
  known: Authenticated,
  given: GivenQuery,
  parts: AccessParts,
): Promise<Query> {
  const { endpoint, method } = known.request.arrival;
  if (!endpoint) throw new ApiError('not_found');
  if (!READS.has(method)) throw new ApiError('method_not_allowed');
  return checkRead(known, endpoint, given, parts);
}

/** Passes a read of an endpoint through the checks of the scope and account, and of the query. */
export async function checkRead(
  known: Authenticated,
  endpoint: Endpoint,
  given: GivenQuery,
  parts: AccessParts,
): Promise<Query> {
  const readable = await authorizeRead(known, endpoint, parts);
  const { token, request } = known;
  ensure(grants(token.scopes, endpoint), 'scope');
  const { tokenPrefix } = parts.options;
  const parameters = parametersOf(given, tokenPrefix);
  if ('endpoint' in readable) {
    const read = parseObjectQuery(parameters, readable.endpoint, tokenPrefix);
    return { ...known, ...readable, parameters: read };
  }
  const { source, rowsOfToken } = readable;
  const query = parseListQuery(parameters, { ...readable, tokenPrefix });
  const list = { resource: endpoint.name, source, rowsOfToken, query };
  return { ...list, tokenId: token.id, end: request.cancellation };
}

/**
 * Checks the token's scope before any of the panel's data is read, then its account. Returns the object, or the list, for
 * a token of accounts limited to their rows. Throws ApiError `scope_missing`, `account_forbidden`, or
 * `resource_unavailable` for a list that this panel does not serve.
 */
export async function authorizeRead(
  { token, settings }: ReadingToken,
  endpoint: Endpoint,
  { sources, accounts }: Pick<AccessParts, 'sources' | 'accounts'>,
): Promise<ServedList | Pick<ObjectQuery, 'endpoint' | 'tokenAccounts'>> {
  const { scopes, accountId } = token;
  const tokenAccounts = TokenAccounts.of(token, accounts, settings);
  if (!grants(scopes, endpoint)) throw new ApiError('scope_missing', { required_scope: endpoint.scope });
  if (endpoint.kind === 'list') return findList(sources, endpoint, tokenAccounts);
  if (endpoint.serverWide && accountId !== null) throw new ApiError('account_forbidden');
  return { endpoint, tokenAccounts };
}

// URLSearchParams reads a percent sign that encodes nothing as itself, and a client that writes one may expect a wildcard.
function parametersOf(given: GivenQuery, tokenPrefix: string): URLSearchParams {
  if (typeof given !== 'string')
    return new URLSearchParams(
      Object.entries(given).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : value.map((one) => [name, writtenValue(one)]),
      ),
    );
  const wrong = given.split('&').find((parameter) => /%(?![\da-f]{2})/i.test(parameter));
  const [name] = new URLSearchParams(wrong).keys();
  if (name !== undefined)
    refuseParameter(shownName(name, tokenPrefix), 'percent-encoded: a percent sign is %25');
  return new URLSearchParams(given);
}
