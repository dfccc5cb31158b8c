import type { JsonSchema } from '../json/JsonSchema';

/** What an error may tell the client beside its code: a member of `error` in the envelope each. */
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
} as const satisfies Readonly<Record<string, JsonSchema>>;

export type ErrorDetails = {
  readonly [K in keyof typeof errorDetails]?: TypeOf<(typeof errorDetails)[K]['type']>;
};

type TypeOf<T> = T extends 'integer' ? number : T extends 'array' ? readonly string[] : string;
