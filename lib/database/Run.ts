import type { Knex } from 'knex';

/** A statement that knex can give up: a query builder or a raw statement, and no schema builder. */
export type Statement<T> = PromiseLike<T> & {
  timeout(milliseconds: number): PromiseLike<T>;
  connection(connection: unknown): Statement<T>;
};

/** Sends one statement under a name that the log may show. Rejects with a DatabaseFailure. */
export type Run = <T>(name: string, statement: (knex: Knex) => Statement<T>) => Promise<T>;
