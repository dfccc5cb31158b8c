import { type ErrorCode, errorCodes, errorRow } from '../errors/errorCodes';
import { errorDetails } from '../errors/errorDetails';
import type { JsonSchema } from '../json/JsonSchema';
import { envelopeSchema } from './envelopeSchema';
import { ALWAYS, COUNTED, headerRefs, responseHeaders } from './responseHeaders';

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
  const headers = rows.map((row) => Object.keys(row.headers?.({}) ?? {}));
  const names = [...new Set(headers.flat())];
  const always = names.filter((name) => headers.every((own) => own.includes(name)));
  const sometimes = names.filter((name) => !always.includes(name));
  const counted = rows.every((row) => row.counted) ? COUNTED : [];
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
      ...Object.fromEntries(sometimes.map((name) => [name, { ...responseHeaders[name], required: false }])),
    },
    content: { 'application/json': { schema: envelopeSchema(false, 'error', error) } },
  };
}
