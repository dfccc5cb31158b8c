import type { Knex } from 'knex';
import { type Clock, realClock } from '../async/Clock';
import type { Dialect } from './Dialect';
import { mysql } from './dialects/mysql';
import { postgresql } from './dialects/postgresql';
import { sqlite } from './dialects/sqlite';
import type { StatementOptions } from './Statement';

// By the driver: knex's other clients of these databases call their dialects the same, and bind and return values
// otherwise.
const DIALECTS: ReadonlyMap<unknown, Dialect> = new Map([
  ['mysql2', mysql],
  ['pg', postgresql],
  ['better-sqlite3', sqlite],
]);

/** What panels pass in place of a handle: the first of these whose methods the value has. */
const OTHERS: readonly (readonly [name: string, ...methods: readonly string[]])[] = [
  ['a Prisma client', '$connect', '$disconnect'],
  ['a Drizzle database', '$with', 'select'],
  ['a TypeORM data source', 'getRepository', 'createQueryRunner'],
  ['a Sequelize instance', 'authenticate', 'define'],
  ['a Mongoose connection', 'model', 'startSession'],
  ['a pool or connection of a driver', 'connect', 'query'],
  ['a pool of a driver', 'getConnection', 'query'],
  ['a database of better-sqlite3', 'pragma', 'prepare'],
];

/** Why the module does not work with this value as a handle, as the end of a sentence about it; null if it does. */
export function refusalOf(value: unknown): string | null {
  if (typeof value !== 'function' || !('client' in value && 'raw' in value)) {
    const has = (method: string) => typeof Object(value)[method] === 'function';
    const [name] = OTHERS.find(([, ...methods]) => methods.every(has)) ?? [];
    const given = name ? `, not ${name}` : '';
    return `must be a knex handle${given}; for other data layers see docs/how-to/other-data-layers.md`;
  }
  const { driverName } = (value as Knex).client;
  if (DIALECTS.has(driverName)) return null;
  return `must be a knex handle with one of the clients ${[...DIALECTS.keys()].join(', ')}, not ${driverName}`;
}

/** The panel's knex handle as the module uses it: for its own statements, and for the panel's queries. */
export interface Handles {
  readonly dialect: Dialect;
  readonly knex: Knex;
  readonly panelKnex: Knex;
  readonly processClock: Clock;
}

/**
 * Returns the panel's knex handle as the module uses it. Both handles share the panel's pool and events. The handle's
 * client must be one that `refusalOf` accepts.
 */
export function handlesOf(panel: Knex, clock: Clock = realClock): Handles {
  const dialect = DIALECTS.get(panel.client.driverName) as Dialect;
  return {
    dialect,
    processClock: clock,
    // Without the settings by which the panel has names rewritten and values converted.
    knex: derived(panel, dialect, { wrapIdentifier: undefined }, dialect.bind),
    // The names of the panel's queries are rewritten and their texts bound as the panel expects.
    panelKnex: derived(panel, dialect, {}),
  };
}

/** A statement that knex is about to pass to the driver. */
interface Compiled {
  sql: string;
  bindings?: readonly unknown[] | undefined;
  options?: Partial<StatementOptions>;
}

function derived(panel: Knex, dialect: Dialect, settings: object, bind?: Dialect['bind']): Knex {
  const limited = dialect.limit ?? ((sql: string) => sql);
  const { client, context } = panel as Knex & { context: object };
  const derivedClient = Object.assign(Object.create(client), {
    // Nothing may copy the bound values into an error's message.
    config: { ...client.config, postProcessResponse: undefined, compileSqlOnError: false, ...settings },
    // The statement itself is shown to listeners of the panel.
    _query(connection: unknown, statement: Compiled) {
      const { limitMs, ...options } = statement.options ?? {};
      return client._query(connection, {
        ...statement,
        sql: limitMs === undefined ? statement.sql : limited(statement.sql, limitMs, connection),
        bindings: bind ? statement.bindings?.map(bind) : statement.bindings,
        options: { ...dialect.exactValues(connection), ...options },
      });
    },
  });
  // A handle of knex is a function that finds its client in its context. knex's own way to copy one copies the pool too.
  const derivedContext = Object.assign(Object.create(context), { client: derivedClient });
  const handle = (table: string, options?: object) => derivedClient.queryBuilder().table(table, options);
  return Object.defineProperty(Object.setPrototypeOf(handle, panel), 'context', { value: derivedContext });
}
