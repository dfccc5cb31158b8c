import { API_URL_PATTERN, API_URL_RULE } from '../addresses/requestOrigin';
import type { JsonSchema } from '../json/json';
import { declaredSettings } from '../settings/declaredSettings';
import { TOKEN_PREFIX_PATTERN } from '../tokens/tokenFormat';
import { MOST_KEPT_DAYS } from '../usage/usageTable';
import type { MountOptions } from './MountOptions';

const aFunction = { holds: (value: unknown) => typeof value === 'function', expects: 'must be a function' };

/** The mount options as a JSON Schema: their limits and defaults. Handles and sources are checked elsewhere. */
const properties = {
  db: { expects: 'must be a knex handle' },
  readDb: { expects: 'must be a knex handle' },
  logger: {
    holds: (logger: unknown) => hasMethods(logger, ['info', 'warn', 'error']),
    expects: 'must have the methods info, warn and error',
  },
  enabled: {
    holds: (enabled: unknown) => ['boolean', 'function'].includes(typeof enabled),
    expects: 'must be a boolean or a function',
  },
  sources: { type: 'object', default: {} },
  // Without an option that overrides a setting, the setting applies.
  rateLimit: group({
    requests: { type: 'integer', ...declaredSettings.rateLimitRequests.bounds },
    windowSeconds: { type: 'integer', ...declaredSettings.rateLimitWindowSeconds.bounds },
    store: {
      holds: isStore,
      expects: "must be 'database', 'memory' or a client of ioredis or node-redis",
      default: 'database',
    },
    fallback: {
      expects: "must be 'none', 'memory' or 'database'",
      enum: ['none', 'memory', 'database'],
      default: 'none',
    },
  }),
  httpsRequired: { type: 'boolean' },
  usage: group({ keepDays: { type: 'integer', minimum: 1, maximum: MOST_KEPT_DAYS, default: 90 } }),
  onTokenEvent: aFunction,
  journal: { type: 'string', minLength: 1, expects: 'must be the path of a file' },
  installation: {
    holds: (text: unknown) => typeof text === 'string' && text.trim() !== '' && text.length <= 255,
    expects: 'must be a text of 1 to 255 characters, or a function that returns one',
  },
  tokenPrefix: {
    type: 'string',
    pattern: TOKEN_PREFIX_PATTERN,
    expects: 'must be 2 to 16 lower-case letters and digits, a letter first',
    default: 'pnl',
  },
  tablePrefix: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]{0,31}$',
    expects: 'must be 1 to 32 lower-case letters, digits and underscores, a letter first',
    default: 'panel_api_',
  },
  migrate: { type: 'boolean', default: true },
  deadlineMs: { type: 'integer', minimum: 100, maximum: 600_000, default: 5000 },
  panel: group({
    name: { type: 'string', minLength: 1, default: 'panel' },
    version: { type: 'string', minLength: 1, default: 'unknown' },
  }),
  apiUrl: { type: 'string', pattern: API_URL_PATTERN, expects: API_URL_RULE },
  releaseChecks: {
    type: 'array',
    items: {
      type: 'object',
      properties: { id: { type: 'string' }, title: { type: 'string' }, run: aFunction },
      required: ['id', 'title', 'run'],
      additionalProperties: false,
    },
    default: [],
  },
} satisfies Record<keyof MountOptions, JsonSchema>;

export const OPTIONS_SCHEMA: JsonSchema = { properties, required: ['db', 'logger'] };

function group(options: Readonly<Record<string, JsonSchema>>) {
  return { type: 'object', properties: options, additionalProperties: false, default: {} };
}

function isStore(value: unknown): boolean {
  return value === 'database' || value === 'memory' || hasMethods(value, ['get', 'eval', 'multi']);
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof Object(value)[name] === 'function');
}
