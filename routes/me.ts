import { flag, id, integer, integerId, listOf, object, required, text, textList, time } from '../lib/fields';
import type { Id } from '../lib/fields/scalars';
import type { Mount } from '../lib/Installation';
import {
  API_PATH,
  grants,
  isServerWide,
  objectOperation,
  panelField,
  pathOf,
} from '../lib/operations/Operation';
import type { RequestContext } from '../lib/requests/RequestContext';
import type { Source } from '../lib/sources/Source';
import { rfc3339OfSeconds } from '../lib/time/time';

export const me = objectOperation({
  name: 'me',
  scope: 'profile.read',
  tag: 'Accounts and users',
  title: 'Token',
  description: 'The token of the request: who it is, what it may do, and how much of its limit is left.',
  fields: {
    token: required(
      object('The token.', {
        id: required(integerId('Identifier of the token.')),
        name: required(text('Name of the token, for people.')),
        prefix: required(text('First characters of the token, for recognition.')),
        scopes: required(textList('The scopes that it carries.')),
        created_at: required(time('When it was created.')),
        created_by: required(text('Who created it.')),
        expires_at: time('When it expires; null if it never does.'),
        last_used_at: time('When it was last used.'),
      }),
    ),
    endpoints: required(
      listOf(
        'Every endpoint and whether this token may call it.',
        object('An endpoint.', {
          path: required(text('Path of the endpoint.')),
          scope: required(text('The scope that it asks for.')),
          allowed: required(
            flag(
              'Whether this token may call it: it has that scope, and if it is bound to an account, the endpoint does not concern the whole server.',
            ),
          ),
        }),
      ),
    ),
    rate_limit: required(
      object("The token's window.", {
        limit: required(integer('Requests in one window.')),
        window_seconds: required(integer('Length of the window in seconds.')),
        remaining: required(integer('Requests left in this window.')),
        resets_at: required(time('When the window resets.')),
      }),
    ),
    allowed_ips: required(textList('Addresses that the token may be used from; empty if from anywhere.')),
    account_id: id('The account that the token is bound to; null if to none.'),
    client_ip: required(text('The address that the request came from.')),
    panel: panelField,
    api_version: required(text('Version of the API.')),
  },
  load: introspect,
});

const API_VERSION = 'v1';

async function introspect(
  { token, rateLimit, clientIp, mountPath }: RequestContext,
  { operations, options, sources }: Mount,
) {
  return {
    token: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      scopes: token.scopes,
      created_at: rfc3339OfSeconds(token.createdAt),
      created_by: token.createdBy,
      expires_at: rfc3339OfSeconds(token.expiresAt),
      // This request is a use, and its time was stored before this is read.
      last_used_at: rfc3339OfSeconds(Math.max(token.readAt, token.lastUsedAt ?? 0)),
    },
    endpoints: operations.map((operation) => ({
      path: mountPath + API_PATH + pathOf(operation),
      scope: operation.scope,
      allowed: grants(token.scopes, operation) && (token.accountId === null || !isServerWide(operation)),
    })),
    rate_limit: {
      limit: rateLimit.limit,
      window_seconds: rateLimit.windowSeconds,
      remaining: rateLimit.remaining,
      resets_at: rfc3339OfSeconds(rateLimit.resetsAt),
    },
    allowed_ips: token.allowedAddresses,
    account_id: await shownAccount(token.accountId, sources.get('accounts')),
    client_ip: clientIp,
    panel: options.panel,
    api_version: API_VERSION,
  };
}

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * Returns the id of an account, which is stored as text, as `accounts.php` shows it: as an integer if it is written as
 * one, unless the keys of accounts are known to be texts.
 */
async function shownAccount(text: string | null, accounts: Source | undefined): Promise<Id | null> {
  if (text === null || !INTEGER.test(text)) return text;
  const report = await accounts?.report().catch(() => undefined);
  if (report?.itemSchema.properties.id?.type === 'string') return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
