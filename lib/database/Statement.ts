import type { Knex } from 'knex';
import type { Column } from './columns';

/** A query builder or a raw statement of knex, and no schema builder. */
export type Statement<T> = PromiseLike<T> & {
  options(options: StatementOptions): Statement<T>;
  connection(connection: unknown): Statement<T>;
  toSQL(): { readonly sql: string };
};

/** The rows of a result, by the names of its columns. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** What the module tells its own handles about a statement. */
export interface StatementOptions {
  /** How long the server may run the statement, in milliseconds. */
  readonly limitMs: number;
}

/** Sends one statement under a name that the log may show. Rejects with a DatabaseFailure. */
export type Run = <T>(name: string, statement: (knex: Knex) => Statement<T>) => Promise<T>;

/** The part of a knex client that a dialect replaces to describe a statement without running it. */
interface ClientParts {
  _query?(connection: unknown, sent: { sql: string; response?: unknown }): Promise<unknown>;
}

/**
 * Sends the query and returns the columns that `read` finds in the driver's own answer, of which knex keeps the rows
 * alone.
 */
export function describeColumns<T>(
  query: Knex.QueryBuilder,
  read: (response: T) => readonly Column[],
  parts: ClientParts = {},
): Statement<readonly Column[]> {
  const { client } = query as Knex.QueryBuilder & { client: object };
  const processResponse = ({ response }: { response: T }) => read(response);
  return Object.assign(query, {
    client: Object.assign(Object.create(client), { processResponse, ...parts }),
  });
}

const EVENTS = ['start', 'query', 'query-response', 'query-error'] as const;

/** A statement whose SQL is written. It is sent when it is awaited, like a builder of knex. */
class WrittenStatement implements Statement<unknown> {
  readonly #client: Knex.Client;
  readonly #sql: string;
  readonly #bindings: readonly Knex.RawBinding[];
  #options: StatementOptions | undefined;
  #connection: unknown;

  constructor(client: Knex.Client, sql: string, bindings: readonly Knex.RawBinding[]) {
    this.#client = client;
    this.#sql = sql;
    this.#bindings = bindings;
  }

  options(options: StatementOptions): this {
    this.#options = options;
    return this;
  }

  connection(connection: unknown): this {
    this.#connection = connection;
    return this;
  }

  toSQL(): { readonly sql: string } {
    return { sql: this.#sql };
  }

  // biome-ignore lint/suspicious/noThenProperty: see the class.
  then<T = unknown, E = never>(...settled: Parameters<PromiseLike<unknown>['then']>): Promise<T | E> {
    return this.#send().then(...settled) as Promise<T | E>;
  }

  async #send(): Promise<unknown> {
    // knex changes what it is given.
    const sent = { method: 'raw', sql: this.#sql, bindings: this.#bindings, options: this.#options };
    return (await this.#client.query(this.#connection, sent)).response;
  }
}

/**
 * Returns a statement of this SQL. It goes to the driver without the builder and the runner of knex's `raw`, with which it
 * takes three times as long. If the panel listens to its handle, or the SQL has names (`??`), `raw` sends it.
 */
export function statementOf(
  knex: Knex,
  sql: string,
  bindings: readonly Knex.RawBinding[] = [],
): Statement<unknown> {
  const needsKnex = sql.includes('??') || bindings.includes(undefined as never) || isHeard(knex);
  return needsKnex ? knex.raw(sql, bindings) : new WrittenStatement(knex.client, sql, bindings);
}

/** Whether the panel listens to a handle, or knex prints its statements. The handle itself listens to its client. */
function isHeard(knex: Knex): boolean {
  const { client } = knex;
  return (
    client.config.debug === true ||
    EVENTS.some((event) => knex.listenerCount(event) > 0 || client.listenerCount(event) > 1)
  );
}
