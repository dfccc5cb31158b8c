import { AccountList } from './accounts/AccountList';
import { type RefusedAccount, refusedAccounts } from './accounts/accountStates';
import { Turns } from './async/Turns';
import { AuditLog } from './audit/AuditLog';
import { Database } from './database/Database';
import { Migrations } from './database/migrations/Migrations';
import { type TableNames, tableNames } from './database/migrations/tables';
import { type AnyOperation, type Operation, scopesOf } from './fields/Operation';
import { checkReadDatabase, type DatabaseFacts, databaseFacts } from './health/databaseChecks';
import { ListCheck } from './health/ListCheck';
import type { CheckResult } from './health/runCheck';
import { History } from './history/History';
import { Journal } from './history/Journal';
import type { Restores } from './history/Restores';
import type { JsonSchema } from './json/json';
import { createLimiter } from './limiter/createLimiter';
import type { Limiter } from './limiter/Limiter';
import { servedOperations } from './lists/findList';
import { ListAnswers } from './lists/ListAnswers';
import { ListViewer } from './lists/ListViewer';
import { PanelAccounts } from './lists/PanelAccounts';
import { type AccessPreview, firstReadable, previewAccess, type ReadingRights } from './lists/previewAccess';
import { causeFacts, PanelLog } from './log/PanelLog';
import type { CheckedOptions, MountOptions } from './options/MountOptions';
import { validateOptions } from './options/validateOptions';
import { RequestsUnderWay } from './requests/ApiRequest';
import { countUses } from './requests/countUses';
import { type Endpoint, endpointOf } from './requests/Endpoint';
import { logRequests } from './requests/logRequests';
import { RequestLimits } from './requests/RequestLimits';
import { tellEvents } from './requests/tellEvents';
import { RequestSettingsReader } from './settings/RequestSettings';
import { Settings } from './settings/Settings';
import { StoredSecret } from './settings/StoredSecret';
import { createSources } from './sources/createSources';
import { CHECKS, type Source } from './sources/Source';
import { forgetAddresses } from './tokens/lastUse';
import { seenNetworks, TokenEvents, tellPanel } from './tokens/TokenEvents';
import { TokenLookup } from './tokens/TokenLookup';
import type { RequestToken } from './tokens/TokenRecord';
import { Tokens } from './tokens/Tokens';
import { TOKEN_WITHIN } from './tokens/tokenFormat';
import { idsOfNamed } from './tokens/tokenQueries';
import { Usage } from './usage/Usage';

/** All parts of one mount. There is nothing to close at shutdown. */
export interface Installation {
  readonly options: CheckedOptions;
  readonly operations: readonly Operation[];
  readonly scopes: readonly string[];
  /** The database of the module's own tables, which does not wait for the migrations as `migrations.moduleTables` does. */
  readonly database: Database;
  /** The database of the panel's lists: the same one, or that of `readDb`. */
  readonly readDatabase: Database;
  readonly tables: TableNames;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly settings: Settings;
  readonly tokens: Tokens;
  readonly history: History;
  readonly restores: Restores;
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
  readonly mounts: Map<string, string>;
  /** The operations as this mount serves them. */
  readonly endpoints: readonly Endpoint[];
  readonly requests: RequestsUnderWay;
  readonly tokenLookup: TokenLookup;
  readonly limits: RequestLimits;
  readonly lists: ListAnswers;
  readonly listViewer: ListViewer;
  readonly tokenPattern: string;
  readonly panelAccounts: PanelAccounts;
  /** The key of the API section. */
  readonly formKey: StoredSecret;
  /** Reads the database's clock, in seconds since 1970. */
  clock(): Promise<number>;
  // The functions of these names, with the parts of this mount.
  servedOperations(): Promise<readonly Operation[]>;
  previewAccess(token: ReadingRights, deadlineMs: number, rows?: number): Promise<readonly AccessPreview[]>;
  seenNetworks(id: number): Promise<readonly string[]>;
  firstReadable(token: ReadingRights): Promise<Operation | null>;
  databaseFacts(): Promise<DatabaseFacts>;
  checkReadDatabase(): Promise<CheckResult>;
  refusedAccounts(token: RequestToken): Promise<readonly RefusedAccount[]>;
  openapiDocument(server?: string): Promise<JsonSchema>;
}

/** The share of a request's deadline that one query may take. */
const QUERY_SHARE = 0.9;

/** Creates the parts of a mount. Throws a TypeError that names an unknown or wrong option. */
export function createInstallation(given: MountOptions, operations: readonly AnyOperation[]): Installation {
  const options = validateOptions(given, operations);
  const log = new PanelLog(options.logger);
  const base = { options, operations, scopes: scopesOf(operations), log, ...openDatabases(options) };
  const withLists = { ...base, ...createLists(base) };
  const parts = { ...withLists, ...createStores(withLists) };
  const { limiter, tables, migrations, database, readDatabase } = parts;
  const requests = followRequests(parts);
  const lists = new ListAnswers(readDatabase);
  const endpoints: Endpoint[] = [];
  const installation: Installation = {
    ...parts,
    startedAt: new Date(),
    mounts: new Map(),
    endpoints,
    requests,
    tokenLookup: new TokenLookup({
      ...migrations.moduleTables,
      settings: new RequestSettingsReader(tables, options),
      tellsEvents: options.onTokenEvent !== undefined,
    }),
    limits: new RequestLimits(limiter, requests),
    lists,
    listViewer: new ListViewer({ ...parts, lists }),
    tokenPattern: TOKEN_WITHIN.source,
    panelAccounts: new PanelAccounts(parts),
    formKey: new StoredSecret(parts, 'section_form_key'),
    clock: () => database.clock(),
    servedOperations: () => servedOperations(parts),
    previewAccess: (token, deadlineMs, rows) => previewAccess(parts, token, deadlineMs, rows),
    seenNetworks: (id) => seenNetworks(migrations.moduleTables, id),
    firstReadable: (token) => firstReadable(parts, token),
    databaseFacts: () => databaseFacts(database),
    checkReadDatabase: () => checkReadDatabase(database, readDatabase),
    refusedAccounts: (token) => refusedAccounts(token, parts),
    get restores() {
      // Hardly a process restores anything.
      const { Restores } = require('./history/Restores') as typeof import('./history/Restores');
      return new Restores({ ...parts, ...migrations.moduleTables });
    },
    openapiDocument(server) {
      // Most processes are never asked for it.
      const { openapiDocument } =
        require('./openapi/openapiDocument') as typeof import('./openapi/openapiDocument');
      return openapiDocument(parts, server);
    },
  };
  endpoints.push(...operations.map((operation) => endpointOf(operation, installation)));
  return installation;
}

function openDatabases({ db, readDb, deadlineMs }: CheckedOptions) {
  // A query times out before its request does, so that the log can name the query.
  const database = Database.of(db, deadlineMs * QUERY_SHARE);
  const readDatabase = readDb ? Database.of(readDb, database.deadlineMs) : database;
  if (readDatabase.dialect === database.dialect) return { database, readDatabase };
  throw new TypeError('createPanelApi: the option readDb must be of the same kind of database as db.');
}

type Base = Pick<Installation, 'options' | 'operations' | 'scopes' | 'log' | 'database' | 'readDatabase'>;

/** The panel's lists, and what reads them beside requests. */
function createLists({ options, operations, log, readDatabase }: Base) {
  const checks = readDatabase.inSlotsOf(CHECKS);
  const sources = createSources(
    operations,
    options.sources,
    { database: readDatabase.inSlotsOf('sources'), checks },
    log,
  );
  const accounts = new AccountList(sources.get('accounts'));
  const listChecks = new Map(
    [...sources].map(([name, source]) => [
      name,
      new ListCheck(name, source, { operations, sources, checks, options, log }),
    ]),
  );
  return { checks, sources, accounts, listChecks };
}

/** What the module itself stores. */
function createStores(parts: Base & Pick<Installation, 'accounts'>) {
  const { options, scopes, log, database, readDatabase, accounts } = parts;
  const tables = tableNames(options.tablePrefix);
  const journal = new Journal({ database, tables, log, options });
  const history = new History({ moduleTables: { database, tables }, log, journal, options });
  const migrations = new Migrations(database, tables, options.migrate, (isFirst) => history.look(isFirst));
  const { moduleTables } = migrations;
  const audit = new AuditLog({
    ...moduleTables,
    appended: (session, columns) => journal.append(session, columns),
    tokensNamed: (text) => idsOfNamed(database.knex, tables.tokens, text),
  });
  const settings = new Settings({
    ...moduleTables,
    audit,
    options,
    scopes,
    forgetAddresses: () => forgetAddresses(moduleTables),
  });
  const inSlots = readDatabase.inSlotsOf('tokens');
  const tokens = new Tokens({
    ...moduleTables,
    audit,
    log,
    prefix: options.tokenPrefix,
    scopes,
    readLife: () => settings.tokenLife(),
    readBounds: () => settings.customerBounds(),
    bind: (binding) => accounts.bind(binding, inSlots.run, options.deadlineMs),
    turns: new Turns(),
    findAccount: (id) => accounts.find(id, inSlots.run, options.deadlineMs),
    tellCreated: (token) => tellPanel({ type: 'created', token }, options, log),
  });
  const limiter = createLimiter({ ...moduleTables, options, log });
  const usage = new Usage({ ...moduleTables, log, keepDays: options.usage.keepDays });
  return { tables, migrations, audit, settings, tokens, history, limiter, usage };
}

/** The requests under way, of which the log, the counts of use and the panel are told. */
function followRequests(parts: Pick<Installation, 'options' | 'log' | 'migrations' | 'usage'>) {
  const { options, log, migrations, usage } = parts;
  const { onTokenEvent, tokenPrefix } = options;
  const events = { ...migrations.moduleTables, log };
  return new RequestsUnderWay(
    [
      logRequests(log, tokenPrefix),
      countUses(usage),
      ...(onTokenEvent ? [tellEvents(new TokenEvents({ ...events, onTokenEvent }))] : []),
    ],
    (error) => log.warn('panel-api request listener failed', causeFacts(error)),
  );
}
