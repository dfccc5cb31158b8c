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
export type { SettingDescription, SettingKey, SettingSource, SettingValues } from './lib/settings/Setting';
export type { Settings } from './lib/settings/Settings';
export type { ProviderQuery, ProviderSourceOptions, RawValue } from './lib/sources/SourceOptions';
export type { TokenRequest } from './lib/tokens/checkTokenRequest';
export type { CreatedToken } from './lib/tokens/createToken';
export { DuplicateRequest } from './lib/tokens/createToken';
export type { TokenPage, TokenPageQuery } from './lib/tokens/pages';
export type { RotatedToken, RotationRequest } from './lib/tokens/rotateToken';
export type { TokenRecord } from './lib/tokens/TokenRecord';
export type { Tokens } from './lib/tokens/Tokens';
export type { Usage, UsagePeriod, UsageRow } from './lib/usage/Usage';
export type { StatusClass } from './lib/usage/UsageTable';
export type { PanelApi } from './middleware/PanelApi';
export type { PanelApiOptions, SourcePart, Sources } from './routes/PanelApiOptions';
export { createApiSection } from './section/createApiSection';
export type { ApiSectionOptions, LayoutParts } from './section/options';
