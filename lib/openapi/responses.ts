import { type ErrorCode, errorCodes, errorDetails, errorRow } from '../errors/errorCodes';
import type { Operation } from '../fields/Operation';
import { TIME_SCHEMA } from '../fields/times';
import { closedSchema, type JsonSchema } from '../json/json';

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({
  description,
  required: true,
  schema,
});

const occasional = (description: string) => ({ ...header(description), required: false });

/** The API's own headers, by name. */
export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': header("Identifier of the request, which the server's log also contains."),
  'Cache-Control': header('Always `no-store`.'),
  ETag: occasional(
    'Weak entity tag of `data`, for `If-None-Match` in a later request. Absent if a long list or page is sent in pieces.',
  ),
  Link: occasional(
    'Link to the next page of the list, with `rel="next"`. Absent on the last page, in an answer without pages, and if a long page is sent in pieces.',
  ),
  RateLimit: header(
    'Remaining requests (`r`) and remaining seconds (`t`) of the current rate limit window of the token.',
  ),
  'RateLimit-Policy': header('Rate limit of the token: at most `q` requests in a window of `w` seconds.'),
  'Retry-After': header('Seconds until the current rate limit window ends.', { type: 'integer', minimum: 1 }),
  'Token-Expires': occasional(
    'Time when the token expires, as RFC 3339. Only in the last 14 days before that.',
  ),
  'WWW-Authenticate': header('Bearer challenge as defined in RFC 6750.'),
  Allow: header('HTTP methods that the endpoint allows.'),
};

function headerRefs(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** References to headers that a response has only with some of its error codes. */
function sometimes(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { ...responseHeaders[name], required: false }]));
}

/** Headers of every answer, the last one as long as its token ends soon. */
const ALWAYS = ['X-Request-Id', 'Cache-Control', 'Token-Expires'] as const;

/** Headers of every answer to a counted request. */
const COUNTED = ['RateLimit', 'RateLimit-Policy'] as const;

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function envelopeSchema(success: boolean, member: 'data' | 'error', schema: JsonSchema): JsonSchema {
  return closedSchema({
    // Generators for Java and C# write code that does not compile for a constant boolean.
    success: { type: 'boolean', description: `Always \`${success}\`.` },
    message: { type: 'string', description: 'Sentence for people that describes the result.' },
    [member]: schema,
    timestamp: { ...TIME_SCHEMA, description: 'Time when the answer was created.' },
  });
}

/** The 200 response with this schema, and an example of the whole answer. */
export function successResponse(
  { title, kind }: Pick<Operation, 'title' | 'kind'>,
  schema: JsonSchema,
  example: object,
): JsonSchema {
  return {
    description: `${title}.`,
    headers: headerRefs([...ALWAYS, 'ETag', ...(kind === 'list' ? ['Link'] : []), ...COUNTED]),
    content: { 'application/json': { schema, example } },
  };
}

/** The 304 response, if `If-None-Match` names the current data. */
export const NOT_MODIFIED: JsonSchema = {
  description: 'The data has not changed: `If-None-Match` contains its current `ETag`.',
  headers: headerRefs([...ALWAYS, 'ETag', ...COUNTED]),
};

/** The header with which a client names the data that it already has. */
export const IF_NONE_MATCH: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  description: '`ETag` of an earlier answer. The answer is 304 if the data has not changed since then.',
  schema: { type: 'string' },
};

const codes = Object.keys(errorCodes) as ErrorCode[];

/** The schemas of a failure and its code and details. Many languages have an `Error` of their own. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  ErrorAnswer: envelopeSchema(false, 'error', schemaRef('ApiError')),
  ApiError: {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes, description: 'Code of the error, from a closed set.' },
      ...errorDetails,
    },
    required: ['code'],
    additionalProperties: false,
  },
};

export const errorStatuses: readonly number[] = [
  ...new Set(codes.map((code) => errorRow(code).status)),
].toSorted((one, other) => one - other);

/** The response of each of these statuses, named `error<status>`. */
export const errorResponses: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  errorStatuses.map((status) => [
    `error${status}`,
    errorResponse(codes.filter((code) => errorRow(code).status === status)),
  ]),
);

function errorResponse(codes: readonly ErrorCode[]): JsonSchema {
  const rows = codes.map(errorRow);
  const named = rows.map((row) => Object.keys(row.headers?.({}) ?? {}));
  const headers = [...new Set(named.flat())];
  const always = headers.filter((name) => named.every((names) => names.includes(name)));
  const counted = rows.every((row) => row.counted) ? COUNTED : [];
  const maybeCounted = counted.length === 0 && rows.some((row) => row.counted) ? COUNTED : [];
  // An answer of this status has one of these codes.
  const error = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  const schema = { allOf: [schemaRef('ErrorAnswer'), { type: 'object', properties: { error } }] };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorRow(code).when}`).join(' '),
    headers: {
      ...headerRefs([...ALWAYS, ...counted, ...always]),
      ...sometimes([...maybeCounted, ...headers.filter((name) => !always.includes(name))]),
    },
    content: { 'application/json': { schema } },
  };
}
