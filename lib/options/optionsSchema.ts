import type { JsonSchema } from '../json/json';
import { declaredSettings } from '../settings/declaredSettings';
import type { Setting } from '../settings/Setting';
import { TOKEN_PREFIX_PATTERN } from '../tokens/tokenFormat';
import { MOST_KEPT_DAYS } from '../usage/UsageTable';
import type { MountOptions } from './MountOptions';

/** The mount options as a JSON Schema: their descriptions, limits and defaults. Handles and sources are checked elsewhere. */
const properties = {
  db: {
    expects: 'must be a knex handle',
    description:
      "The panel's knex handle, with the client `mysql2`, `pg` or `better-sqlite3`. The module never closes it.",
  },
  readDb: {
    expects: 'must be a knex handle',
    description:
      "A second knex handle, from which the panel's lists are read, such as one of a replica. It must be of the same kind of database as `db`. Everything else stays on `db`.",
  },
  logger: {
    holds: (logger: unknown) => hasMethods(logger, ['info', 'warn', 'error']),
    expects: 'must have the methods info, warn and error',
    description:
      'Receives the log lines: a logger of winston, log4js, pino or bunyan, or any object with the methods `info`, `warn` and `error`.',
  },
  enabled: {
    holds: (enabled: unknown) => ['boolean', 'function'].includes(typeof enabled),
    expects: 'must be a boolean or a function',
    description:
      'Whether the API is on: a boolean, or a function that returns one or a promise of one. The function is called for every request.',
  },
  sources: {
    type: 'object',
    default: {},
    description: "The source of each list, by the list's name; `false` if the panel has no such data.",
  },
  rateLimit: group('The limit of requests per token.', {
    requests: { type: 'integer', ...fixes(declaredSettings.rateLimitRequests) },
    windowSeconds: { type: 'integer', ...fixes(declaredSettings.rateLimitWindowSeconds) },
    store: {
      holds: isStore,
      expects: "must be 'database', 'memory' or a client of ioredis or node-redis",
      default: 'database',
      description:
        "Where requests are counted: `'database'` (exact across all processes that share it), `'memory'` (one process), or a client of ioredis or node-redis.",
    },
    fallback: {
      expects: "must be 'none', 'memory' or 'database'",
      enum: ['none', 'memory', 'database'],
      default: 'none',
      description:
        "Where requests are counted while Redis fails: `'memory'`, `'database'`, or `'none'`: the API then answers 503. Allowed only if `store` is a Redis client.",
    },
  }),
  httpsRequired: { type: 'boolean', ...fixes(declaredSettings.httpsRequired) },
  usage: group('The counts of requests per token and day.', {
    keepDays: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_KEPT_DAYS,
      default: 90,
      description: 'Days that the counts of a day are kept after it.',
    },
  }),
  onTokenEvent: {
    holds: (tell: unknown) => typeof tell === 'function',
    expects: 'must be a function',
    description:
      'Called when a used token ends soon, was used from another network, or has ended: once over all processes, after the answer.',
  },
  tokenPrefix: {
    type: 'string',
    pattern: TOKEN_PREFIX_PATTERN,
    expects: 'must be 2 to 16 lower-case letters and digits, a letter first',
    default: 'pnl',
    description: 'First part of every new token: 2 to 16 lower-case letters and digits.',
  },
  tablePrefix: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]{0,31}$',
    expects: 'must be 1 to 32 lower-case letters, digits and underscores, a letter first',
    default: 'panel_api_',
    description:
      "First part of the names of the module's tables. If one of these names belongs to a table of the panel, the module neither uses nor drops that table: the API answers 503, and the log and the command name it.",
  },
  migrate: {
    type: 'boolean',
    default: true,
    description: 'Whether the module creates and upgrades its tables on first use.',
  },
  deadlineMs: {
    type: 'integer',
    minimum: 100,
    maximum: 600_000,
    default: 5000,
    description:
      'Milliseconds until an unfinished request is answered with 503. A list that is sent in pieces waits this long for the database, and six times as long for the client.',
  },
  panel: group("The panel's name and version, shown in `me.php` and `release-audit.php`.", {
    name: {
      type: 'string',
      minLength: 1,
      default: 'panel',
      description: 'Name of the panel.',
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
      'Further checks for `release-audit.php`: objects `{ id, title, run }`. The function `run` returns `{ status, detail? }`, or a promise of it; `status` is `pass`, `warn` or `fail`.',
  },
} satisfies Record<keyof MountOptions, JsonSchema>;

export const OPTIONS_SCHEMA: JsonSchema = { properties, required: ['db', 'logger'] };

/** A group of optional options. */
function group(description: string, properties: Readonly<Record<string, JsonSchema>>) {
  return { type: 'object', properties, additionalProperties: false, default: {}, description };
}

/** An option that overrides a setting: its bounds and its description. Without it the setting applies. */
function fixes<T>({ description, bounds }: Setting<T>): JsonSchema & { description: string } {
  return { ...bounds, description };
}

function isStore(value: unknown): boolean {
  return value === 'database' || value === 'memory' || hasMethods(value, ['get', 'eval', 'multi']);
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof Object(value)[name] === 'function');
}
