import { AuditLog } from './audit/AuditLog';
import { Database } from './database/Database';
import { Migrations } from './database/migrations/Migrations';
import { type TableNames, tableNames } from './database/migrations/tables';
import { createLimiter } from './limiter/createLimiter';
import type { Limiter } from './limiter/Limiter';
import { SharedReads } from './lists/SharedReads';
import { PanelLog } from './log/PanelLog';
import { type OperationFacts, scopesOf } from './operations/OperationFacts';
import type { WholeBody } from './operations/WholeBody';
import { checkOptions } from './options/checkOptions';
import type { CheckedOptions, MountOptions } from './options/MountOptions';
import { Settings } from './settings/Settings';
import { createSources } from './sources/createSources';
import type { Source } from './sources/Source';
import { LastUse } from './tokens/LastUse';
import { TokenLookup } from './tokens/TokenLookup';
import { Tokens } from './tokens/Tokens';
import { createUsage, type Usage } from './usage/Usage';

/** Everything that one mount consists of. It opens nothing that must be closed. */
export interface Installation {
  readonly options: CheckedOptions;
  readonly operations: readonly OperationFacts[];
  readonly scopes: readonly string[];
  readonly database: Database;
  readonly tables: TableNames;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly settings: Settings;
  readonly tokens: Tokens;
  readonly tokenLookup: TokenLookup;
  readonly lastUse: LastUse;
  readonly limiter: Limiter;
  readonly usage: Usage;
  readonly log: PanelLog;
  readonly sources: ReadonlyMap<string, Source>;
  /** The reads of lists that are under way; null is given for a list that is long. */
  readonly listReads: SharedReads<WholeBody | null>;
  readonly startedAt: Date;
}

/** The share of a request's deadline that a single query may take. */
const QUERY_SHARE = 0.9;

/** Puts an installation together. Throws a TypeError that names an option which is unknown or wrong. */
export function createInstallation(given: MountOptions, operations: readonly OperationFacts[]): Installation {
  const options = checkOptions(given, operations);
  // A query gives up before its request does, so that the log can name it.
  const database = new Database(options.db, options.deadlineMs * QUERY_SHARE);
  const tables = tableNames(options.tablePrefix);
  const migrations = new Migrations(database, tables, options.migrate);
  const audit = new AuditLog(database, migrations, tables.auditLog);
  const settings = new Settings({ database, migrations, audit, tables, options });
  const scopes = scopesOf(operations);
  const tokens = new Tokens({
    database,
    migrations,
    audit,
    table: tables.tokens,
    prefix: options.tokenPrefix,
    scopes,
  });
  const tokenLookup = new TokenLookup({ database, migrations, tables, settings });
  const lastUse = new LastUse(database, tables.tokens);
  const limiter = createLimiter({
    options: options.rateLimit,
    database,
    migrations,
    table: tables.rateLimits,
    prefix: options.tablePrefix,
  });
  const log = new PanelLog(options.logger);
  const usage = createUsage({
    database,
    migrations,
    log,
    table: tables.usage,
    keepDays: options.usage.keepDays,
  });
  const sources = createSources(operations, options.sources, database.reading('sources'), log);
  return {
    options,
    operations,
    scopes,
    database,
    tables,
    migrations,
    audit,
    settings,
    tokens,
    tokenLookup,
    lastUse,
    limiter,
    usage,
    log,
    sources,
    listReads: new SharedReads(),
    startedAt: new Date(),
  };
}
