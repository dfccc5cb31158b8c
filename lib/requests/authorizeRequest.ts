import { ApiError } from '../errors/ApiError';
import { type FoundList, findList } from '../lists/findList';
import { grants, type ListOperation } from '../operations/Operation';
import type { AccountList } from '../owners/AccountList';
import { type Owners, ownersOf } from '../owners/Owners';
import type { Source } from '../sources/Source';
import type { Authenticated } from './authenticateRequest';
import type { Endpoint, ObjectEndpoint } from './Endpoint';
import type { Limited } from './RequestLimits';

/** A request for an object that its token may read. */
export interface AuthorizedObject extends Limited {
  readonly endpoint: ObjectEndpoint;
  /** The accounts of the token; null for all. */
  readonly owners: Owners | null;
}

/**
 * A request for a list that its token may read. For a token of accounts, the list is limited to their rows.
 */
export interface AuthorizedList extends Limited {
  readonly endpoint: ListOperation;
  readonly list: FoundList;
}

export type Authorized = AuthorizedObject | AuthorizedList;

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Checks the method, and the token's scope before any of the panel's data is read, then its account. Throws ApiError
 * `not_found` without an endpoint, `method_not_allowed`, `scope_missing`, `account_forbidden`, or `resource_unavailable`
 * for a list that this panel does not serve.
 */
export async function authorizeRequest(
  limited: Limited,
  sources: ReadonlyMap<string, Source>,
  accounts: AccountList,
): Promise<Authorized> {
  const { endpoint, method } = limited.request.arrival;
  if (!endpoint) throw new ApiError('not_found');
  if (!READS.has(method)) throw new ApiError('method_not_allowed');
  return { ...limited, ...(await authorizeRead(limited, endpoint, sources, accounts)) };
}

/** What a token may read of an endpoint. */
export type Readable =
  | Pick<AuthorizedObject, 'endpoint' | 'owners'>
  | Pick<AuthorizedList, 'endpoint' | 'list'>;

/** The errors of an endpoint that a token does not see, because of its scopes or its accounts. */
export const UNSEEN: ReadonlySet<unknown> = new Set(['scope_missing', 'account_forbidden']);

/** Checks the scope and the accounts of a token, and throws as `authorizeRequest` does. */
export async function authorizeRead(
  { token, settings }: Pick<Authenticated, 'token' | 'settings'>,
  endpoint: Endpoint,
  sources: ReadonlyMap<string, Source>,
  accounts: AccountList,
): Promise<Readable> {
  const { scopes, accountId } = token;
  const owners = ownersOf(token, accounts, settings);
  if (!grants(scopes, endpoint)) throw new ApiError('scope_missing', { required_scope: endpoint.scope });
  if (endpoint.kind === 'list') return { endpoint, list: await findList(sources, endpoint, owners) };
  if (endpoint.serverWide && accountId !== null) throw new ApiError('account_forbidden');
  return { endpoint, owners };
}
