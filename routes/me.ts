import { flag, id, integer, integerId, listOf, object, required, text, textList, time } from '../lib/fields';
import { objectOperation } from '../lib/operations/Operation';
import { panelField } from '../lib/operations/panelField';
import { introspect } from '../lib/tokens/introspect';

export const me = objectOperation({
  name: 'me',
  scope: 'profile.read',
  area: 'Accounts and users',
  title: 'Token',
  description: 'The token of the request: who it is, what it may do, and how much of its limit is left.',
  fields: {
    token: required(
      object('The token.', {
        id: required(integerId('Identifier of the token.')),
        name: required(text('What people call the token.')),
        prefix: required(text('First characters of the token, for recognition.')),
        scopes: required(textList('The scopes that it carries.')),
        created_at: required(time('When it was made.')),
        created_by: required(text('Who made it.')),
        expires_at: time('When it expires; null when it never does.'),
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
              'Whether this token may call it: it has that scope, and where it is bound to an account, the endpoint does not concern the whole server.',
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
    allowed_ips: required(textList('Addresses that the token may be used from; empty when from anywhere.')),
    account_id: id('The account that the token is bound to; null when to none.'),
    client_ip: required(text('The address that the request came from.')),
    panel: panelField,
    api_version: required(text('Version of the API.')),
  },
  load: introspect,
});
