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
function sayQuery({ parameter, field, allowed, expected }: ErrorDetails): string {
  if (field !== undefined) return `${parameter}: there is no field ${field}.`;
  if (allowed !== undefined) return `${parameter} is none of ${allowed.join(', ')}.`;
  return expected === undefined ? `There is no parameter ${parameter}.` : `${parameter} must be ${expected}.`;
}

/** The closed set of error codes: status, sentence and headers of each in one row. */
export const errorCodes = {
  query_invalid: {
    counted: true,
    details: ['parameter', 'expected', 'allowed', 'field', 'supported'],
    status: 400,
    message: sayQuery,
    when: 'A query parameter is unknown, repeated or wrong; `error.parameter` names it, and the message says why. `error.expected` is what it must be, `error.allowed` the words that the field can have, `error.supported` the parameters or fields that there are.',
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
    ...invalidToken('This token is not known.'),
    when: 'The token is not known.',
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
    message: ({ required_scope }) => `This token lacks the scope ${required_scope}.`,
    when: 'The token is valid and lacks the scope that the endpoint requires; `error.required_scope` names it.',
    headers: ({ required_scope = '' }) => challenge({ error: 'insufficient_scope', scope: required_scope }),
  },
  account_forbidden: {
    counted: true,
    status: 403,
    message: () => 'A token of one account cannot read this resource.',
    when: 'The token is bound to one account, and the resource concerns the whole server, or does not say which account its rows belong to.',
  },
  https_required: {
    status: 403,
    message: () =>
      'This API is served over HTTPS only. Behind a proxy, the administrator sets app.proxy = true in Koa and lets the proxy send X-Forwarded-Proto.',
    when: 'The request came without HTTPS, and not from the server itself; its token was not read.',
  },
  ip_not_allowed: {
    details: ['address'],
    status: 403,
    message: () => 'This token may not be used from this address.',
    when: 'The token may be used from certain addresses only; `error.address` is the one that was seen.',
  },
  not_found: {
    counted: true,
    status: 404,
    message: () => 'There is no such endpoint.',
    when: 'There is no endpoint at this path. Paths are exact and case-sensitive.',
  },
  method_not_allowed: {
    counted: true,
    status: 405,
    message: () => 'Only GET and HEAD are allowed here.',
    when: 'The method is neither GET nor HEAD.',
    headers: () => ({ Allow: 'GET, HEAD' }),
  },
  rate_limited: {
    counted: true,
    details: ['retry_after'],
    status: 429,
    message: ({ retry_after }) => `Too many requests. The window resets in ${retry_after} seconds.`,
    when: 'The token used up its requests of this window; try again after `Retry-After` seconds.',
    headers: ({ retry_after }) => ({ 'Retry-After': String(retry_after) }),
  },
  resource_unavailable: {
    intended: true,
    counted: true,
    status: 501,
    message: () => 'This panel does not supply this resource.',
    when: 'This panel has no such data, or its table or a column that is always needed is not there.',
  },
  internal_error: {
    status: 500,
    message: () => 'Something went wrong on the server.',
    when: 'A fault of the server; nothing of the cause leaves it, its log says more.',
  },
  api_disabled: {
    intended: true,
    status: 503,
    message: () => 'The API is switched off on this server.',
    when: 'The administrator has not switched the API on.',
  },
  unavailable: {
    status: 503,
    message: () => 'The API cannot answer at the moment. Try again shortly.',
    when: 'The database, the rate limiter or the deadline failed.',
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof errorCodes;

export function errorRow(code: ErrorCode): ErrorRow {
  return errorCodes[code];
}

/** What an error may tell the client beside its code. Each is a member of `error` in the envelope. */
export const errorDetails = {
  parameter: { type: 'string', description: 'The query parameter that is unknown, repeated or wrong.' },
  expected: { type: 'string', description: 'What the parameter must be, in words for people.' },
  allowed: {
    type: 'array',
    items: { type: 'string' },
    description: 'The words that the field can have at this panel, if another was asked for.',
  },
  field: { type: 'string', description: 'The name in `fields` that is no field here.' },
  supported: {
    type: 'array',
    items: { type: 'string' },
    description: 'The parameters or fields that there are, where one was named that is not.',
  },
  required_scope: { type: 'string', description: 'The scope that the endpoint asks for.' },
  address: { type: 'string', description: 'The address that the request came from, as the panel sees it.' },
  retry_after: { type: 'integer', minimum: 1, description: 'Seconds until the window resets.' },
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
