import { flag, id, integer, integerId, listOf, nullable, object, text, textList, time } from '../lib/fields';
import { API_PATH, grants, isServerWide, panelField, pathOf } from '../lib/fields/Operation';
import { narrow } from '../lib/fields/raw';
import type { Id } from '../lib/fields/scalars';
import type { Installation } from '../lib/Installation';
import type { RequestContext } from '../lib/requests/Endpoint';
import type { Source } from '../lib/sources/Source';
import { rfc3339OfSeconds } from '../lib/time/time';
import { objectOperation } from './objectOperation';

export const me = objectOperation({
  name: 'me',
  scope: 'profile.read',
  tag: 'Accounts and users',
  title: 'Token',
  description: 'Properties of the token of the request, the endpoints that it may call, and its rate limit.',
  fields: {
    token: object('The token of the request.', {
      id: integerId('Identifier of the token.'),
      name: text('Display name of the token.'),
      prefix: text('First characters of the token, to recognize it.'),
      scopes: textList('Scopes of the token; `*` grants every scope.'),
      created_at: time('Time when the token was created.'),
      created_by: text('Name of the person or program that created the token.'),
      expires_at: nullable(time('Time when the token expires; null if it never expires.')),
      last_used_at: nullable(time('Time when the token was last used.')),
    }),
    endpoints: listOf(
      'Every endpoint of the API, and whether the token may call it.',
      object('One endpoint.', {
        path: text('Path of the endpoint.'),
        scope: text('Scope that the endpoint requires.'),
        allowed: flag(
          'Whether the token may call the endpoint: the token has the required scope and, if it is bound to one account, the endpoint does not concern the whole server.',
        ),
      }),
    ),
    rate_limit: object('Rate limit of the token, and its current window.', {
      limit: integer('Maximum number of requests in one window.'),
      window_seconds: integer('Length of a window in seconds.'),
      remaining: integer('Number of requests left in the current window.'),
      resets_at: time('Time when the current window ends.'),
    }),
    allowed_ips: textList(
      'Addresses and networks from which the token may be used; empty if it may be used from any address.',
    ),
    account_id: nullable(
      id(
        'Identifier of the account that the token is bound to, the first if there are several; null if the token is bound to no account.',
      ),
    ),
    account_ids: listOf(
      'Identifiers of all accounts that the token is bound to; empty if it is bound to none.',
      id('Identifier of an account.'),
    ),
    owner: flag(
      'Whether the token may also read the accounts whose `owner_id` is its account, and their data.',
    ),
    client_ip: text('IP address from which the request came.'),
    panel: panelField,
    api_version: text('Version of the API.'),
  },
  load: introspect,
});

const API_VERSION = 'v1';

async function introspect(
  { token, rateLimit, clientIp, prefix }: RequestContext,
  { operations, options, sources }: Installation,
) {
  const accountIds = await shownAccounts(
    token.accounts.map(({ id }) => id),
    sources.get('accounts'),
  );
  const apiPath = prefix() + API_PATH;
  return {
    token: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      scopes: token.scopes,
      created_at: rfc3339OfSeconds(token.createdAt),
      created_by: token.createdBy,
      expires_at: rfc3339OfSeconds(token.expiresAt),
      // This request is a use.
      last_used_at: rfc3339OfSeconds(token.readAt),
    },
    endpoints: operations.map((operation) => ({
      path: apiPath + pathOf(operation),
      scope: operation.scope,
      allowed: grants(token.scopes, operation) && (token.accounts.length === 0 || !isServerWide(operation)),
    })),
    rate_limit: {
      limit: rateLimit.limit,
      window_seconds: rateLimit.windowSeconds,
      remaining: rateLimit.remaining,
      resets_at: rfc3339OfSeconds(rateLimit.resetsAt),
    },
    allowed_ips: token.allowedAddresses,
    account_id: accountIds[0] ?? null,
    account_ids: accountIds,
    owner: token.owner,
    client_ip: clientIp,
    panel: options.panel,
    api_version: API_VERSION,
  };
}

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * Returns ids of accounts, which are stored as texts, as `accounts.php` shows them: as integers if they are written so,
 * unless the keys of accounts are known to be texts.
 */
async function shownAccounts(texts: readonly string[], accounts: Source | undefined): Promise<readonly Id[]> {
  if (!texts.some((text) => INTEGER.test(text))) return texts;
  const report = await accounts?.report().catch(() => undefined);
  if (report?.itemSchema.properties.id?.type === 'string') return texts;
  return texts.map((text) => (INTEGER.test(text) ? narrow(BigInt(text)) : text));
}
