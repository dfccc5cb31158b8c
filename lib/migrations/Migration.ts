import type { Knex } from 'knex';
import type { Dialect } from '../database/Dialect';
import type { Session } from '../database/Session';

/** Adds the columns and indexes of a table that is being created. */
export type TableDefinition = (table: Knex.CreateTableBuilder) => void;

/** One step of the module's own tables. MySQL commits each DDL statement by itself: a step must be able to run again. */
export interface Migration {
  readonly name: string;
  /** The tables that it creates, by their names. */
  readonly creates?: (tables: TableNames, dialect: Dialect) => Readonly<Record<string, TableDefinition>>;
  /** Changes tables of earlier migrations, over its own half-finished work too. The changes go with the tables. */
  readonly alter?: (session: Session, tables: TableNames, dialect: Dialect) => Promise<void>;
}

export interface TableNames {
  readonly migrations: string;
  readonly settings: string;
  readonly tokens: string;
  readonly auditLog: string;
  readonly rateLimits: string;
  readonly usage: string;
}

/** The names of the module's tables under the panel's prefix. */
export function tableNames(prefix: string): TableNames {
  return {
    migrations: `${prefix}migrations`,
    settings: `${prefix}settings`,
    tokens: `${prefix}tokens`,
    auditLog: `${prefix}audit_log`,
    rateLimits: `${prefix}rate_limits`,
    usage: `${prefix}usage`,
  };
}
