import { didYouMean } from './InvalidInput';
import { writtenValue } from './printable';

interface ErrorRow {
  readonly status: number;
  /** The fixed sentence for people. */
  readonly message: (details: ErrorDetails) => string;
  /** When the API answers with it, for the documentation. */
  readonly when: string;
  /** Whether the panel or its administrator intends it, and the log need not call it an error. */
  readonly intended?: true;
  /** The members of `error` beside the code. */
  readonly details?: readonly (keyof ErrorDetails)[];
  /** Whether the request was counted, so that the answer describes the token's window. */
  readonly counted?: true;
  readonly headers?: (details: ErrorDetails) => Readonly<Record<string, string>>;
}

const invalidToken = (sentence: string) => ({
  message: () => sentence,
  headers: () => challenge({ error: 'invalid_token', error_description: sentence }),
});

/** Why a query is refused. It repeats only names of the client's text, never a value. */
function sayQuery({ parameter = '', field, allowed, expected, supported = [] }: ErrorDetails): string {
  // A client that follows a change must not be led to another time.
  const isNear = (one: string) =>
    !/_(?:since|before)$/.test(one) || one.slice(0, 3) === parameter.slice(0, 3);
  const like = didYouMean(field ?? parameter, supported.filter(isNear));
  if (field !== undefined) return `${parameter} names the unknown field ${field}.${like}`;
  if (allowed !== undefined) return `${parameter} must be one of ${allowed.map(writtenValue).join(', ')}.`;
  return expected === undefined
    ? `Unknown parameter ${parameter}.${like}`
    : `${parameter} must be ${expected}.`;
}

/** The closed set of error codes: status, sentence and headers of each in one row. */
export const errorCodes = {
  query_invalid: {
    counted: true,
    details: ['parameter', 'expected', 'allowed', 'field', 'supported'],
    status: 400,
    message: sayQuery,
    when: 'A query parameter is unknown, repeated or invalid. `error.parameter` names it, and the message gives the reason. Depending on the reason, `error.expected` describes valid values, `error.allowed` lists what is possible, `error.supported` lists the existing parameters or fields, and `error.field` names an unknown field.',
  },
  token_missing: {
    status: 401,
    message: () => 'Send a token in the header Authorization: Bearer <token>.',
    when: 'The request carries no bearer token in its Authorization header.',
    // No error attribute for a request without credentials: RFC 6750, section 3.1.
    headers: () => challenge({}),
  },
  token_unknown: {
    status: 401,
    ...invalidToken('Unknown token.'),
    when: 'The token does not exist.',
  },
  token_expired: {
    status: 401,
    ...invalidToken('This token has expired.'),
    when: 'The expiry time of the token has passed.',
  },
  token_revoked: {
    status: 401,
    ...invalidToken('This token was revoked.'),
    when: 'An administrator revoked the token.',
  },
  scope_missing: {
    counted: true,
    details: ['required_scope'],
    status: 403,
    message: ({ required_scope }) =>
      `This token lacks the scope ${required_scope?.replaceAll(' ', ' or ')}. With profile.read, me.php shows what a token may do.`,
    when: 'The token is valid, but lacks the scope that the endpoint requires; `error.required_scope` names the scope.',
    headers: ({ required_scope = '' }) => challenge({ error: 'insufficient_scope', scope: required_scope }),
  },
  account_forbidden: {
    counted: true,
    status: 403,
    message: () => 'This token is bound to one account and cannot read this resource.',
    when: 'The token is bound to one account, but the resource concerns the whole server, or the panel does not say which account each row belongs to.',
  },
  account_gone: {
    counted: true,
    status: 403,
    message: () => 'The account that this token is bound to does not exist any more.',
    when: 'The token is bound to an account that is not in the list of accounts any more; if it is bound to several, to none that is.',
  },
  account_changed: {
    counted: true,
    status: 403,
    message: () => 'The account that this token is bound to was replaced by another one with the same id.',
    when: 'The id of the account that the token is bound to is now that of another account: its `created_at`, or its `username` if no time is known, has changed. An administrator can bind the token to it by editing the token.',
  },
  account_suspended: {
    counted: true,
    status: 403,
    message: () => 'The account that this token is bound to is suspended.',
    when: 'The account that the token is bound to is suspended, and the setting `suspended_accounts` is `refuse`.',
  },
  https_required: {
    status: 403,
    message: () =>
      'This API requires HTTPS. If the panel is behind a proxy, set app.proxy = true in Koa, or pass { proxies: 1 } to handler() or fetcher() elsewhere, and let the proxy send X-Forwarded-Proto.',
    when: 'The request came without HTTPS from another host. The API did not read its token.',
  },
  ip_not_allowed: {
    details: ['address'],
    status: 403,
    message: () => 'This address is not one of the allowed addresses of the token.',
    when: 'The request came from an address that is not one of the allowed addresses of the token; `error.address` is the address of the request.',
  },
  not_found: {
    counted: true,
    status: 404,
    message: () => 'Unknown endpoint.',
    when: 'There is no endpoint at this path. Paths are exact and case-sensitive.',
  },
  method_not_allowed: {
    counted: true,
    status: 405,
    message: () => 'This endpoint allows only the methods GET and HEAD.',
    when: 'The method is neither GET nor HEAD.',
    headers: () => ({ Allow: 'GET, HEAD' }),
  },
  rate_limited: {
    counted: true,
    details: ['retry_after'],
    status: 429,
    message: ({ retry_after }) =>
      `Too many requests. The rate limit window resets in ${retry_after} ${retry_after === 1 ? 'second' : 'seconds'}.`,
    when: 'The token has used all requests of the current rate limit window. Try again after `Retry-After` seconds.',
    headers: ({ retry_after }) => ({ 'Retry-After': String(retry_after) }),
  },
  resource_unavailable: {
    intended: true,
    counted: true,
    details: ['reason'],
    status: 501,
    message: ({ reason }) => reason ?? 'This panel does not provide this resource.',
    when: 'The panel has no data for this resource, or a required table or column does not exist. Also if the account of the token owns more than 10,000 accounts that are read by their ids: then `error.reason` says so.',
  },
  internal_error: {
    status: 500,
    message: () => 'An internal error occurred on the server.',
    when: "An internal error occurred. The answer contains no details of the cause; the server's log does.",
  },
  api_disabled: {
    intended: true,
    status: 503,
    message: () => 'The API is switched off on this server.',
    when: 'The API is switched off, or the database is that of another installation.',
  },
  unavailable: {
    status: 503,
    message: () => 'The API cannot answer at the moment. Try again later.',
    when: 'The database or the store of the rate limiter failed, the resource cannot be read (such as for a missing right), the request exceeded the deadline, or the database was set back and the setting `after_restore` is `refuse`. For `health.php?status=code`: a check failed.',
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof errorCodes;

export function errorRow(code: ErrorCode): ErrorRow {
  return errorCodes[code];
}

/** What an error may tell the client beside its code. Each is a member of `error` in the envelope. */
export const errorDetails = {
  parameter: {
    type: 'string',
    description: 'Name of the query parameter that is unknown, repeated or invalid.',
  },
  expected: { type: 'string', description: 'Description of the valid values of the parameter, for people.' },
  allowed: {
    type: 'array',
    items: { type: 'string' },
    description:
      'Words of the field, orders of the list, or fields to count by or add up, that this panel has, if the request asks for another.',
  },
  field: {
    type: 'string',
    description: 'Name in the parameter `fields` that is not a field of the resource.',
  },
  supported: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the existing parameters or fields, if the request names an unknown one.',
  },
  required_scope: { type: 'string', description: 'Scope that the endpoint requires.' },
  address: { type: 'string', description: 'IP address from which the request came, as the panel sees it.' },
  reason: {
    type: 'string',
    description: 'Why the token cannot read a resource that the panel provides, for people.',
  },
  retry_after: {
    type: 'integer',
    minimum: 1,
    description: 'Seconds until the current rate limit window ends.',
  },
} as const satisfies Readonly<Record<string, { readonly [keyword: string]: unknown }>>;

export type ErrorDetails = {
  readonly [K in keyof typeof errorDetails]?: TypeOf<(typeof errorDetails)[K]['type']>;
};

type TypeOf<T> = T extends 'integer' ? number : T extends 'array' ? readonly string[] : string;

const REALM = 'panel-api';

/** The headers of an answer that challenges the client for a token (RFC 6750, section 3). */
function challenge(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const quoted = Object.entries({ realm: REALM, ...attributes }).map(([name, value]) => `${name}="${value}"`);
  return { 'WWW-Authenticate': `Bearer ${quoted.join(', ')}` };
}
