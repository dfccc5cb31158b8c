import type Router from '@koa/router';
import type { AuditLog } from './lib/audit/AuditLog';
import { createInstallation } from './lib/Installation';
import { withInstallation } from './lib/installationOf';
import type { Settings } from './lib/settings/Settings';
import type { Tokens } from './lib/tokens/Tokens';
import type { Usage } from './lib/usage/Usage';
import { createRouter } from './middleware/createRouter';
import { operations } from './routes';
import type { PanelApiOptions } from './routes/PanelApiOptions';

/** The router of the API, and what a panel with an administration interface of its own needs beside it. */
export type PanelApi = Router & {
  /** Makes, lists and revokes tokens. */
  readonly tokens: Tokens;
  /** Reads the audit trail. */
  readonly audit: AuditLog;
  /** Reads and changes the settings, the switch of the API among them. */
  readonly settings: Settings;
  /** Reads how often tokens were used, and writes what is not written yet. */
  readonly usage: Usage;
};

/**
 * The panel's API, to be mounted with `app.use(createPanelApi({ db, logger }).routes())`.
 * Throws a TypeError that names an option which is unknown or wrong. It opens nothing that must be closed.
 */
export function createPanelApi(options: PanelApiOptions): PanelApi {
  const installation = createInstallation(options, operations);
  const { tokens, audit, settings, usage } = installation;
  const router = createRouter(operations, installation);
  return withInstallation(Object.assign(router, { tokens, audit, settings, usage }), installation);
}

export type { AuditEntry, AuditLog, AuditQuery, Author, Origin } from './lib/audit/AuditLog';
export { InvalidInput } from './lib/errors/InvalidInput';
export type { CheckResult, Logger, RateLimitSettings, ReleaseCheck } from './lib/options/MountOptions';
export type { SettingDescription, SettingSource } from './lib/settings/SettingDescription';
export type { Settings } from './lib/settings/Settings';
export type { SettingKey, SettingValues } from './lib/settings/SettingValues';
export type { ProviderQuery, ProviderSourceOptions, RawValue } from './lib/sources/SourceOptions';
export { AlreadyMade } from './lib/tokens/AlreadyMade';
export type { TokenPageQuery } from './lib/tokens/checkPageQuery';
export type { RotationRequest } from './lib/tokens/checkRotation';
export type { TokenRequest } from './lib/tokens/checkTokenRequest';
export type { CreatedToken } from './lib/tokens/makeToken';
export type { TokenPage } from './lib/tokens/readPage';
export type { RotatedToken } from './lib/tokens/rotateToken';
export type { TokenRecord } from './lib/tokens/TokenRecord';
export type { Tokens } from './lib/tokens/Tokens';
export type { StatusClass } from './lib/usage/statusClass';
export type { Usage, UsagePeriod, UsageRow } from './lib/usage/Usage';
export type { PanelApiOptions, SourcePart, Sources } from './routes/PanelApiOptions';
export type { ApiSectionOptions, LayoutParts } from './section/ApiSectionOptions';
export { createApiSection } from './section/createApiSection';
