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
