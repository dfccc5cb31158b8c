import type { AccountSection, AccountSectionOptions } from './account-section/createAccountSection';
import type { Mcp, McpOptions } from './assistants/createMcp';
import type { Field } from './lib/fields';
import { API_PATH } from './lib/fields/Operation';
import { createInstallation } from './lib/Installation';
import type { MountOptions } from './lib/options/MountOptions';
import type { Confirmation } from './lib/sources/findings';
import type { Mapped, ValueOf } from './lib/sources/mapping/description';
import type { FieldSource } from './lib/sources/mapping/kinds';
import type {
  FunctionSourceOptions,
  QuerySourceOptions,
  Returned,
  TableSourceOptions,
  UnitSourceOptions,
} from './lib/sources/SourceOptions';
import type { Metrics, MetricsOptions } from './metrics/createMetrics';
import { createRouter } from './middleware/createRouter';
import { forOtherHosts } from './middleware/hosts';
import { attachInstallation, type PanelApi } from './middleware/PanelApi';
import { type FieldsOf, type ListName, type Lists, operations } from './routes';
import type { ApiSection, ApiSectionOptions } from './section/createApiSection';

/**
 * Creates the API. Mount it with `app.use(createPanelApi({ db, logger }).routes())`. Throws a TypeError that names an
 * unknown or wrong option. There is nothing to close at shutdown.
 */
export function createPanelApi(options: PanelApiOptions): PanelApi {
  const installation = createInstallation(options, operations);
  const { tokens, audit, settings, usage, log } = installation;
  const router = forOtherHosts(createRouter(installation), { prefix: API_PATH, log });
  return attachInstallation(Object.assign(router, { tokens, audit, settings, usage }), installation);
}

// Each of these four loads its part at the first call: most panels mount only some of them.

/**
 * Creates the API section: pages on which an administrator turns the API on, creates and revokes tokens and reads the
 * audit trail. Mount it behind the panel's own login: `app.use(createApiSection({ api, authorize }).routes())`. It
 * answers only its own paths; all other requests go on to the panel. Throws a TypeError that names a missing, unknown
 * or wrong option.
 */
export function createApiSection(options: ApiSectionOptions): ApiSection {
  const section = require('./section/createApiSection') as typeof import('./section/createApiSection');
  return section.createApiSection(options);
}

/**
 * Creates the account section: pages on which a customer creates, extends, rotates and revokes the tokens of the own
 * account, within the bounds of the settings. Mount it behind the panel's own login:
 * `app.use(createAccountSection({ api, account }).routes())`. It answers only its own paths; all other requests go on to the
 * panel. Throws a TypeError that names a missing, unknown or wrong option.
 */
export function createAccountSection(options: AccountSectionOptions): AccountSection {
  const section =
    require('./account-section/createAccountSection') as typeof import('./account-section/createAccountSection');
  return section.createAccountSection(options);
}

/**
 * Creates the metrics: one path that shows the panel's figures in the text format of Prometheus, to tokens of the API.
 * Mount it with `app.use(createMetrics({ api }).routes())`. All other requests go on to the panel. Throws a TypeError
 * that names a missing, unknown or wrong option.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const metrics = require('./metrics/createMetrics') as typeof import('./metrics/createMetrics');
  return metrics.createMetrics(options);
}

/**
 * Creates the MCP server: one path at which assistants read the panel by the Model Context Protocol, with tokens of the
 * API. Mount it with `app.use(createMcp({ api }).routes())`. It is off until `assistants_enabled` is switched on. All
 * other requests go on to the panel. Throws a TypeError that names a missing, unknown or wrong option, and an Error if the
 * package `@modelcontextprotocol/server` is not installed.
 */
export function createMcp(options: McpOptions): Mcp {
  const assistants = require('./assistants/createMcp') as typeof import('./assistants/createMcp');
  return assistants.createMcp(options);
}

export type {
  AccountAnswer,
  AccountSection,
  AccountSectionOptions,
  SignedInAccount,
} from './account-section/createAccountSection';
export type { Mcp, McpOptions } from './assistants/createMcp';
export type { AuditEntry, AuditLog, AuditQuery, Author, Origin } from './lib/audit/AuditLog';
export { InvalidInput } from './lib/errors/InvalidInput';
export type { CheckResult, ReleaseCheck } from './lib/health/runCheck';
export type { Logger } from './lib/log/PanelLog';
export type { RateLimitSettings } from './lib/options/MountOptions';
export type { SettingKey, SettingValues } from './lib/settings/Setting';
export type {
  CustomerBounds,
  SettingDescription,
  SettingSource,
  Settings,
  TokenLife,
} from './lib/settings/Settings';
export type { RawValue } from './lib/sources/mapping/results';
export type { FieldRange, FunctionQuery, FunctionSourceOptions } from './lib/sources/SourceOptions';
export type { TokenEvent } from './lib/tokens/TokenEvents';
export type {
  AccountToken,
  AccountTokens,
  BoundAccount,
  CreatedToken,
  DuplicationRequest,
  Expiry,
  PresentAccount,
  RotatedToken,
  RotationRequest,
  TokenChanges,
  TokenExtension,
  TokenRecord,
  TokenRequest,
} from './lib/tokens/TokenRecord';
export { DuplicateRequest, StaleToken } from './lib/tokens/TokenRecord';
export type { Tokens } from './lib/tokens/Tokens';
export type {
  FilterCounts,
  TokenAttention,
  TokenFilter,
  TokenGroup,
  TokenOrder,
  TokenPage,
  TokenPageQuery,
} from './lib/tokens/tokenQueries';
export type { Usage } from './lib/usage/Usage';
export type { StatusClass, TokenRefusal, UsagePeriod, UsageRow, UsageTotal } from './lib/usage/UsageRow';
export type { Metrics, MetricsOptions } from './metrics/createMetrics';
export type { Fetcher, FetchInfo } from './middleware/Fetcher';
export type { HandlerOptions } from './middleware/hosts';
export type { NodeHandler } from './middleware/nodeHandler';
export type { PanelApi } from './middleware/PanelApi';
export type { ApiSection, ApiSectionOptions, LayoutParts, SectionTexts } from './section/createApiSection';

// These types take the name of a list instead of its declaration, so that the compiler's messages show the name.

type FieldName<Name extends ListName> = keyof FieldsOf<Name> & string;
type FieldOf<Name extends ListName, K extends keyof FieldsOf<Name>> = Extract<FieldsOf<Name>[K], Field>;

type FieldSources<Name extends ListName> = {
  readonly [K in keyof FieldsOf<Name>]?: FieldSource<FieldOf<Name, K>> | CountOf<Name, FieldOf<Name, K>>;
};

/** Counts the rows of another list, for the numbers of an account. */
type CountOf<Name extends ListName, F extends Field> = Name extends 'accounts'
  ? F['kind'] extends 'number'
    ? { [List in ListName]: CountIn<List> }[ListName]
    : never
  : never;

/** Only lists whose rows belong to accounts are counted, and only by fields that clients can filter. */
type CountIn<List extends ListName> =
  'account_id' extends FieldName<List>
    ? {
        readonly count: List;
        readonly where?: {
          readonly [K in FieldName<List> as FieldOf<List, K> extends { readonly filterable: true }
            ? Exclude<K, 'account_id'>
            : never]?: Mapped<FieldOf<List, K>> | readonly Mapped<FieldOf<List, K>>[];
        };
        readonly confirm?: Confirmation;
      }
    : never;

/** A row that a function source returns. */
type RowOf<Name extends ListName> = {
  readonly [K in FieldName<Name>]?: ValueOf<FieldOf<Name, K>> | Returned<FieldOf<Name, K>['kind']> | null;
};

/** Only a list with an allow-list (`settings`) takes keys. */
type Keys<Name extends ListName> = Lists[Name] extends { readonly allowList: true }
  ? readonly string[]
  : never;

/** The fields of times of a list, by which it can be sorted. */
type TimeName<Name extends ListName> = {
  [K in FieldName<Name>]: FieldOf<Name, K>['kind'] extends 'time' ? K : never;
}[FieldName<Name>];

type OneSource<Name extends ListName, Time> =
  | TableSourceOptions<FieldSources<Name>, Keys<Name>, Time>
  | QuerySourceOptions<FieldSources<Name>, Keys<Name>, Time>
  | FunctionSourceOptions<FieldName<Name>, RowOf<Name>, Keys<Name>>;

/** One part of the list with this name. A list in several parts has one source per part, and no `orders`. */
export type SourcePart<Name extends ListName> = OneSource<Name, never>;

/** The values of a list's option, except `false`. */
type Source<Name extends ListName> =
  | OneSource<Name, TimeName<Name>>
  | readonly [OneSource<Name, TimeName<Name>>]
  | readonly SourcePart<Name>[]
  | (Lists[Name] extends { readonly fromSystemd: true } ? UnitSourceOptions : never);

/** The source of each list, by the list's name. A misspelt list, field or word does not compile. */
export type Sources = { readonly [Name in ListName]?: false | Source<Name> | undefined };

/** The options of `createPanelApi`. Only `db` and `logger` are required. */
export type PanelApiOptions = MountOptions<Sources>;
