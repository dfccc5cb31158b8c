import { createInstallation } from './lib/Installation';
import { attachInstallation } from './lib/installationOf';
import { createRouter } from './middleware/createRouter';
import type { PanelApi } from './middleware/PanelApi';
import { operations } from './routes';
import type { PanelApiOptions } from './routes/PanelApiOptions';

/**
 * The panel's API, to be mounted with `app.use(createPanelApi({ db, logger }).routes())`.
 * Throws a TypeError that names an option which is unknown or wrong. It opens nothing that must be closed.
 */
export function createPanelApi(options: PanelApiOptions): PanelApi {
  const installation = createInstallation(options, operations);
  const { tokens, audit, settings, usage } = installation;
  const router = createRouter(operations, installation);
  return attachInstallation(Object.assign(router, { tokens, audit, settings, usage }), installation);
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
export type { PanelApi } from './middleware/PanelApi';
export type { PanelApiOptions, SourcePart, Sources } from './routes/PanelApiOptions';
export type { ApiSectionOptions, LayoutParts } from './section/ApiSectionOptions';
export { createApiSection } from './section/createApiSection';
