import { ApiError, refuseParameter } from '../errors/ApiError';
import { grants, type ListOperation } from '../fields/Operation';
import { type FoundList, findList } from '../lists/findList';
import { type ListQuery, parseListQuery, parseObjectQuery, shownName } from '../lists/parseListQuery';
import type { AccountList } from '../owners/AccountList';
import { TokenAccounts } from '../owners/TokenAccounts';
import type { RequestSettings } from '../settings/RequestSettings';
import type { Source } from '../sources/Source';
import type { RequestToken } from '../tokens/TokenRecord';
import type { Authenticated } from './authenticateRequest';
import type { Endpoint, ObjectEndpoint } from './Endpoint';

/** The query of a request: the part of its URL, or the decoded names and values. */
export type Query = string | URLSearchParams | Readonly<Record<string, string>>;

interface ReadableObject {
  readonly endpoint: ObjectEndpoint;
  /** The accounts of the token; null for all. */
  readonly owners: TokenAccounts | null;
}

interface ReadableList {
  readonly endpoint: ListOperation;
  readonly list: FoundList;
}

/** What a token may read of an endpoint: an object, or a list, for a token of accounts limited to their rows. */
export type Readable = ReadableObject | ReadableList;

export interface AskedObject extends Authenticated, ReadableObject {
  readonly parameters: Readonly<Record<string, string>>;
}

export interface AskedList extends Authenticated, ReadableList {
  readonly query: ListQuery;
}

/** A request that has passed all checks. */
export type Asked = AskedObject | AskedList;

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
export async function checkRequest(known: Authenticated, query: Query, parts: AccessParts): Promise<Asked> {
  const { endpoint, method } = known.request.arrival;
  if (!endpoint) throw new ApiError('not_found');
  if (!READS.has(method)) throw new ApiError('method_not_allowed');
  return checkRead(known, endpoint, query, parts);
}

/** Passes a read of an endpoint through the checks of the scope and account, and of the query. */
export async function checkRead(
  known: Authenticated,
  endpoint: Endpoint,
  written: Query,
  parts: AccessParts,
): Promise<Asked> {
  const readable = await authorizeRead(known, endpoint, parts);
  const { tokenPrefix } = parts.options;
  const parameters = parametersOf(written, tokenPrefix);
  if (!('list' in readable)) {
    const read = parseObjectQuery(parameters, readable.endpoint, tokenPrefix);
    return { ...known, ...readable, parameters: read };
  }
  const { endpoint: operation, list } = readable;
  const query = parseListQuery(parameters, { ...list, operation, tokenPrefix });
  return { ...known, ...readable, query };
}

/** The errors of an endpoint that a token does not see, because of its scopes or its accounts. */
export const UNSEEN: ReadonlySet<unknown> = new Set(['scope_missing', 'account_forbidden']);

/** Why a panel has nothing to show of a list to a token. It is no failure. */
export const HIDDEN: ReadonlySet<unknown> = new Set([...UNSEEN, 'resource_unavailable']);

/** Returns null for an error that hides a list from a token. Throws every other error. */
export function nullIfHidden(error: unknown): null {
  if (error instanceof ApiError && HIDDEN.has(error.code)) return null;
  throw error;
}

/**
 * Checks the token's scope before any of the panel's data is read, then its account. Throws ApiError `scope_missing`,
 * `account_forbidden`, or `resource_unavailable` for a list that this panel does not serve.
 */
export async function authorizeRead(
  { token, settings }: ReadingToken,
  endpoint: Endpoint,
  { sources, accounts }: Pick<AccessParts, 'sources' | 'accounts'>,
): Promise<Readable> {
  const { scopes, accountId } = token;
  const owners = TokenAccounts.of(token, accounts, settings);
  if (!grants(scopes, endpoint)) throw new ApiError('scope_missing', { required_scope: endpoint.scope });
  if (endpoint.kind === 'list') return { endpoint, list: await findList(sources, endpoint, owners) };
  if (endpoint.serverWide && accountId !== null) throw new ApiError('account_forbidden');
  return { endpoint, owners };
}

// URLSearchParams reads a percent sign that encodes nothing as itself, and a client that writes one may expect a wildcard.
function parametersOf(query: Query, tokenPrefix: string): URLSearchParams {
  if (typeof query === 'string') {
    const wrong = query.split('&').find((parameter) => /%(?![\da-f]{2})/i.test(parameter));
    const [name] = new URLSearchParams(wrong).keys();
    if (name !== undefined)
      refuseParameter(shownName(name, tokenPrefix), 'percent-encoded: a percent sign is %25');
  }
  return new URLSearchParams(query);
}
