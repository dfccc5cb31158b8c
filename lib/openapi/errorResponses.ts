import { type ErrorCode, errorCodes, errorRow } from '../errors/errorCodes';
import { errorDetails } from '../errors/errorDetails';
import type { JsonSchema } from '../json/JsonSchema';
import { envelopeSchema } from './envelopeSchema';
import { ALWAYS, COUNTED, headerRefs, sometimes } from './responseHeaders';

/** A response for each status that an error can have, under the name `error<status>`. */
export function errorResponses(): Readonly<Record<string, JsonSchema>> {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const statuses = [...new Set(codes.map((code) => errorRow(code).status))].toSorted(
    (one, other) => one - other,
  );
  return Object.fromEntries(
    statuses.map((status) => [
      `error${status}`,
      errorResponse(codes.filter((code) => errorRow(code).status === status)),
    ]),
  );
}

function errorResponse(codes: readonly ErrorCode[]): JsonSchema {
  const rows = codes.map(errorRow);
  const named = rows.map((row) => Object.keys(row.headers?.({}) ?? {}));
  const headers = [...new Set(named.flat())];
  const always = headers.filter((name) => named.every((names) => names.includes(name)));
  const counted = rows.every((row) => row.counted) ? COUNTED : [];
  const maybeCounted = counted.length === 0 && rows.some((row) => row.counted) ? COUNTED : [];
  const details = rows.flatMap((row) => row.details ?? []);
  const error = {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes },
      ...Object.fromEntries(details.map((name) => [name, errorDetails[name]])),
    },
    required: ['code'],
    additionalProperties: false,
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorRow(code).when}`).join(' '),
    headers: {
      ...headerRefs([...ALWAYS, ...counted, ...always]),
      ...sometimes([...maybeCounted, ...headers.filter((name) => !always.includes(name))]),
    },
    content: { 'application/json': { schema: envelopeSchema(false, 'error', error) } },
  };
}
