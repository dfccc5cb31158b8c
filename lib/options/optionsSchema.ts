import type { JsonSchema } from '../json/json';
import { declaredSettings } from '../settings/declaredSettings';
import type { Setting } from '../settings/Setting';
import { TOKEN_PREFIX_PATTERN } from '../tokens/tokenFormat';
import { MOST_KEPT_DAYS } from '../usage/UsageTable';
import type { MountOptions } from './MountOptions';

/** The options of the mount as a JSON Schema: their meaning, limits and defaults. The sources check themselves. */
const properties = {
  db: {
    holds: isKnexHandle,
    expects: 'must be a knex handle',
    description: "The panel's knex handle (mysql2, pg or better-sqlite3).",
  },
  logger: {
    holds: (logger: unknown) => hasMethods(logger, ['info', 'warn', 'error']),
    expects: 'must have info, warn and error',
    description: 'winston, or anything with `info`, `warn`, `error`.',
  },
  enabled: {
    holds: (enabled: unknown) => ['boolean', 'function'].includes(typeof enabled),
    expects: 'must be a boolean or a function',
    description:
      "Whether the API is on: a boolean, or a function that reads the panel's own setting. Without it the module's switch counts, which starts off.",
  },
  sources: {
    type: 'object',
    default: {},
    description: 'Where each list comes from; `false` when the panel has no such data.',
  },
  rateLimit: group('The limit of every token.', {
    requests: { type: 'integer', ...fixes(declaredSettings.rateLimitRequests) },
    windowSeconds: { type: 'integer', ...fixes(declaredSettings.rateLimitWindowSeconds) },
    store: {
      holds: isStore,
      expects: "must be 'database', 'memory', or a client of ioredis or node-redis",
      default: 'database',
      description:
        'Where requests are counted: `database` (exact for all processes that share it), `memory` (one process), or a client of ioredis or node-redis.',
    },
    fallback: {
      expects: "must be 'none', 'memory' or 'database'",
      enum: ['none', 'memory', 'database'],
      default: 'none',
      description: 'Where requests are counted while Redis fails; with `none` they are answered with 503.',
    },
  }),
  httpsRequired: { type: 'boolean', ...fixes(declaredSettings.httpsRequired) },
  usage: group('The counts of how often each token was used.', {
    keepDays: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_KEPT_DAYS,
      default: 90,
      description: 'For how many days the counts of a day are kept after it.',
    },
  }),
  tokenPrefix: {
    type: 'string',
    pattern: TOKEN_PREFIX_PATTERN,
    default: 'pnl',
    description: 'First part of every new token.',
  },
  tablePrefix: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]{0,31}$',
    default: 'panel_api_',
    description:
      "First part of the names of the module's tables. A table of the panel's by one of these names is neither used nor dropped: the API then answers 503, and the log and the command name the table.",
  },
  migrate: {
    type: 'boolean',
    default: true,
    description: 'Whether the module creates and upgrades its tables by itself at first use.',
  },
  deadlineMs: {
    type: 'integer',
    minimum: 100,
    maximum: 600_000,
    default: 5000,
    description:
      'How long a request may take before it is answered with 503, in milliseconds; and how long a list that is sent in pieces waits for the database, a sixth of how long it waits for the client.',
  },
  panel: group('What `me.php` and `release-audit.php` say of the panel.', {
    name: {
      type: 'string',
      minLength: 1,
      default: 'panel',
      description: 'Name of the panel, as the API shows it.',
    },
    version: { type: 'string', minLength: 1, default: 'unknown', description: 'Version of the panel.' },
  }),
  releaseChecks: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        title: { type: 'string' },
        run: { holds: (run: unknown) => typeof run === 'function', expects: 'must be a function' },
      },
      required: ['id', 'title', 'run'],
      additionalProperties: false,
    },
    default: [],
    description:
      "Checks of the panel's own in `release-audit.php`: `{ id, title, run }`, where `run` returns `{ status, detail? }` with the status `pass`, `warn` or `fail`.",
  },
} satisfies Record<keyof MountOptions, JsonSchema>;

export const OPTIONS_SCHEMA: JsonSchema = {
  type: 'object',
  properties,
  required: ['db', 'logger'],
  additionalProperties: false,
};

/** Several options as one, all of which may be left out. */
function group(description: string, properties: Readonly<Record<string, JsonSchema>>) {
  return { type: 'object', properties, additionalProperties: false, default: {}, description };
}

/** An option that fixes a setting: its bounds, its meaning, and what counts without it. */
function fixes<T>({
  description,
  name,
  default: value,
  bounds,
}: Setting<T>): JsonSchema & { description: string } {
  return {
    ...bounds,
    description: `${description} Without it the setting \`${name}\` counts, which starts as ${value}.`,
  };
}

function isKnexHandle(value: unknown): boolean {
  return typeof value === 'function' && 'client' in value && 'raw' in value;
}

function isStore(value: unknown): boolean {
  return value === 'database' || value === 'memory' || hasMethods(value, ['get', 'eval', 'multi']);
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof Object(value)[name] === 'function');
}
