import type { Field } from './Field';
import { readTime } from './readTime';

/** The schema of every time in the API. */
export const TIME_SCHEMA = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$',
} as const;

export function time(description: string): Field<string> {
  return {
    kind: 'time',
    schema: { ...TIME_SCHEMA, description, examples: ['2026-06-12T00:00:00+00:00'] },
    reader: () => readTime,
    required: false,
  };
}
