import type { Knex } from 'knex';
import { AuditLog } from './audit/AuditLog';
import { Database } from './database/Database';
import { createMigrations, type Migrations } from './database/migrations/Migrations';
import { type TableNames, tableNames } from './database/migrations/tables';
import { type AnyOperation, type Operation, scopesOf } from './fields/Operation';
import { createListCheck, type ListCheck } from './health/listCheck';
import type { JsonSchema } from './json/json';
import { createLimiter } from './limiter/createLimiter';
import type { Limiter } from './limiter/Limiter';
import { servedOperations } from './lists/findList';
import { type ListAnswers, listAnswers } from './lists/ListAnswers';
import { PanelAccounts } from './lists/PanelAccounts';
import { type AccessPreview, firstReadable, previewAccess, type ReadingRights } from './lists/previewAccess';
import { causeFacts, type PanelLog, panelLog } from './log/PanelLog';
import { checkOptions } from './options/checkOptions';
import type { CheckedOptions, MountOptions } from './options/MountOptions';
import { AccountList } from './owners/AccountList';
import { type RefusedAccount, refusedAccounts } from './owners/accountStates';
import { type RequestsUnderWay, requestsUnderWay } from './requests/ApiRequest';
import { type Endpoint, endpointOf } from './requests/Endpoint';
import { countUses, logRequests, tellEvents } from './requests/listeners';
import { RequestLimits } from './requests/RequestLimits';
import { requestSettingsReader } from './settings/RequestSettings';
import { Settings } from './settings/Settings';
import { StoredSecret } from './settings/StoredSecret';
import { createSources } from './sources/createSources';
import { CHECKS, type Source } from './sources/Source';
import { forgetAddresses } from './tokens/lastUse';
import { tokenEvents } from './tokens/TokenEvents';
import { type TokenLookup, tokenLookup } from './tokens/TokenLookup';
import type { RequestToken } from './tokens/TokenRecord';
import { Tokens } from './tokens/Tokens';
import { TOKEN_WITHIN } from './tokens/tokenFormat';
import { idsOfNamed } from './tokens/tokenQueries';
import { Usage } from './usage/Usage';

/** The parts of a mount that its operations use. */
export interface Mount {
  readonly options: CheckedOptions;
  readonly operations: readonly Operation[];
  readonly scopes: readonly string[];
  /** The database of the module's own tables, which does not wait for the migrations as `migrations.ownTables` does. */
  readonly database: Database;
  /** The database of the panel's lists: the same one, or that of `readDb`. */
  readonly readDatabase: Database;
  readonly tables: TableNames;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly settings: Settings;
  readonly tokens: Tokens;
  readonly limiter: Limiter;
  readonly usage: Usage;
  readonly log: PanelLog;
  readonly sources: ReadonlyMap<string, Source>;
  /** The list of accounts, in which those of tokens are looked up. */
  readonly accounts: AccountList;
  /** `readDatabase`, in the slots of CHECKS. */
  readonly checks: Database;
  readonly listChecks: ReadonlyMap<string, ListCheck>;
  readonly startedAt: Date;
  /** The paths of what is mounted beside the API, by their names. */
  readonly doors: Map<string, string>;
}

/** All parts of one mount. There is nothing to close at shutdown. */
export interface Installation extends Mount {
  /** The operations as this mount serves them. */
  readonly endpoints: readonly Endpoint[];
  readonly requests: RequestsUnderWay;
  readonly tokenLookup: TokenLookup;
  readonly limits: RequestLimits;
  readonly lists: ListAnswers;
  readonly tokenPattern: string;
  readonly panelAccounts: PanelAccounts;
  /** The key of the API section. */
  readonly formKey: StoredSecret;
  /** Reads the database's clock, in seconds since 1970. */
  clock(): Promise<number>;
  // The functions of these names, with the parts of this mount.
  servedOperations(): Promise<readonly Operation[]>;
  previewAccess(token: ReadingRights, deadlineMs: number, rows?: number): Promise<readonly AccessPreview[]>;
  firstReadable(token: ReadingRights): Promise<Operation | null>;
  refusedAccounts(token: RequestToken): Promise<readonly RefusedAccount[]>;
  openapiDocument(server?: string): Promise<JsonSchema>;
}

/** The share of a request's deadline that one query may take. */
const QUERY_SHARE = 0.9;

/** Creates the parts of a mount. Throws a TypeError that names an unknown or wrong option. */
export function createInstallation(given: MountOptions, operations: readonly AnyOperation[]): Installation {
  const options = checkOptions(given, operations);
  // A query times out before its request does, so that the log can name the query.
  const database = new Database(options.db, options.deadlineMs * QUERY_SHARE);
  const readDatabase = options.readDb ? openReadDatabase(options.readDb, database) : database;
  const tables = tableNames(options.tablePrefix);
  const migrations = createMigrations(database, tables, options.migrate);
  const own = migrations.ownTables;
  const audit = new AuditLog({
    ...own,
    tokensNamed: (text) => idsOfNamed(database.knex, tables.tokens, text),
  });
  const settings = new Settings({
    ...own,
    audit,
    options,
    forgetAddresses: () => forgetAddresses(own),
  });
  const scopes = scopesOf(operations);
  const log = panelLog(options.logger);
  const checks = readDatabase.reading(CHECKS);
  const sources = createSources(
    operations,
    options.sources,
    { database: readDatabase.reading('sources'), checks },
    log,
  );
  const accounts = new AccountList(sources.get('accounts'));
  const mount: Mount = {
    options,
    operations,
    scopes,
    database,
    readDatabase,
    tables,
    migrations,
    audit,
    settings,
    tokens: new Tokens({
      ...own,
      audit,
      prefix: options.tokenPrefix,
      scopes,
      readLife: () => settings.tokenLife(),
      bind: (binding) => accounts.bind(binding, readDatabase.reading('tokens').run, options.deadlineMs),
    }),
    limiter: createLimiter({ ...own, options: options.rateLimit, prefix: options.tablePrefix, log }),
    usage: new Usage({ ...own, log, keepDays: options.usage.keepDays }),
    log,
    sources,
    accounts,
    checks,
    listChecks: new Map(
      [...sources].map(([name, source]) => [
        name,
        createListCheck(name, source, { operations, sources, checks, options, log }),
      ]),
    ),
    startedAt: new Date(),
    doors: new Map(),
  };
  const { onTokenEvent } = options;
  const requests = requestsUnderWay(
    [
      logRequests(log, options.tokenPrefix),
      countUses(mount.usage),
      ...(onTokenEvent ? [tellEvents(tokenEvents({ ...own, log, onTokenEvent }))] : []),
    ],
    (error) => log.warn('panel-api request listener failed', causeFacts(error)),
  );
  return {
    ...mount,
    endpoints: operations.map((operation) => endpointOf(operation, mount)),
    requests,
    tokenLookup: tokenLookup({
      ...own,
      settings: requestSettingsReader(tables, options),
      tellsEvents: onTokenEvent !== undefined,
    }),
    limits: new RequestLimits(mount.limiter, requests),
    lists: listAnswers(readDatabase),
    tokenPattern: TOKEN_WITHIN.source,
    panelAccounts: new PanelAccounts(mount),
    formKey: new StoredSecret(mount, 'section_form_key'),
    clock: () => database.clock(),
    servedOperations: () => servedOperations(mount),
    previewAccess: (token, deadlineMs, rows) => previewAccess(mount, token, deadlineMs, rows),
    firstReadable: (token) => firstReadable(mount, token),
    refusedAccounts: (token) => refusedAccounts(token, mount),
    openapiDocument(server) {
      // Most processes are never asked for it.
      const { openapiDocument } =
        require('./openapi/openapiDocument') as typeof import('./openapi/openapiDocument');
      return openapiDocument(mount, server);
    },
  };
}

function openReadDatabase(readDb: Knex, { dialect, deadlineMs }: Database): Database {
  const readDatabase = new Database(readDb, deadlineMs);
  if (readDatabase.dialect === dialect) return readDatabase;
  throw new TypeError('createPanelApi: the option readDb must be of the same kind of database as db.');
}
