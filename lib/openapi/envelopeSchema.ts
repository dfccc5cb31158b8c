import { TIME_SCHEMA } from '../fields/time';
import type { JsonSchema } from '../json/JsonSchema';

/** The schema of the envelope around `data` or `error`. */
export function envelopeSchema(success: boolean, member: 'data' | 'error', schema: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: success },
      message: { type: 'string', description: 'A sentence for people.' },
      [member]: schema,
      timestamp: { ...TIME_SCHEMA, description: 'When the answer was made.' },
    },
    required: ['success', 'message', member, 'timestamp'],
    additionalProperties: false,
  };
}
