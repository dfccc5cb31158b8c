import type { JsonSchema } from '../json/JsonSchema';

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({
  description,
  required: true,
  schema,
});

const occasional = (description: string) => ({ ...header(description), required: false });

/** Every header of the API's own, by its name. */
export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': header('The id of the request, as it stands in the log of the server.'),
  'Cache-Control': header('Always `no-store`.'),
  ETag: occasional(
    'A weak validator of `data`, for `If-None-Match`; not if a long list or page is sent in pieces.',
  ),
  Link: occasional(
    'The next page of a list, as `rel="next"`; not on the last one, and not if a long page is sent in pieces.',
  ),
  RateLimit: header("What is left of the token's window: `r` requests, `t` seconds."),
  'RateLimit-Policy': header('The limit: `q` requests in `w` seconds.'),
  'Retry-After': header('Seconds until the window resets.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('The challenge of RFC 6750.'),
  Allow: header('The methods that are allowed.'),
};

/** References to headers, for a response. */
export function headerRefs(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The same headers, for a response that has them with some of its error codes alone. */
export function sometimes(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { ...responseHeaders[name], required: false }]));
}

/** Headers of every answer. */
export const ALWAYS = ['X-Request-Id', 'Cache-Control'] as const;

/** Headers of every answer to a token that was counted. */
export const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const;
