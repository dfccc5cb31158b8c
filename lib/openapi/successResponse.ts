import type { JsonSchema } from '../json/JsonSchema';
import { envelopeSchema } from './envelopeSchema';
import { ALWAYS, COUNTED, headerRefs } from './responseHeaders';

/** The 200 response with this schema of `data`. */
export function successResponse(title: string, data: JsonSchema, isList: boolean): JsonSchema {
  return {
    description: `${title}.`,
    headers: headerRefs([...ALWAYS, 'ETag', ...(isList ? ['Link'] : []), ...COUNTED]),
    content: { 'application/json': { schema: envelopeSchema(true, 'data', data) } },
  };
}

/** The 304 response to an `If-None-Match` that names the data as it is. */
export const NOT_MODIFIED: JsonSchema = {
  description: 'The data is what `If-None-Match` names.',
  headers: headerRefs([...ALWAYS, 'ETag', ...COUNTED]),
};

/** The header by which a client says what it has. */
export const IF_NONE_MATCH: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An `ETag` of an earlier answer, for a 304 where the data is still the same.',
  schema: { type: 'string' },
};
