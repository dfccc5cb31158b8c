import type Router from '@koa/router';
import type { AuditLog } from './lib/audit/AuditLog';
import { createInstallation } from './lib/Installation';
import type { Settings } from './lib/settings/Settings';
import type { Tokens } from './lib/tokens/Tokens';
import { createRouter } from './middleware/createRouter';
import { operations } from './routes';
import type { PanelApiOptions } from './routes/PanelApiOptions';

/** The router of the API, and what a panel with an administration interface of its own needs beside it. */
export type PanelApi = Router & {
  /** Makes, lists and revokes tokens. */
  readonly tokens: Tokens;
  /** Reads the audit trail. */
  readonly audit: AuditLog;
  /** Reads and turns the switch of the API. */
  readonly settings: Settings;
};

/**
 * The panel's API, to be mounted with `app.use(createPanelApi({ db, logger }).routes())`.
 * Throws a TypeError that names an option which is unknown or wrong. It opens nothing that must be closed.
 */
export function createPanelApi(options: PanelApiOptions): PanelApi {
  const installation = createInstallation(options, operations);
  const { tokens, audit, settings } = installation;
  return Object.assign(createRouter(operations, installation), { tokens, audit, settings });
}

export type { AuditEntry, AuditLog, AuditQuery, Author, Origin } from './lib/audit/AuditLog';
export { InvalidInput } from './lib/errors/InvalidInput';
export type { CheckResult, Logger, RateLimitSettings, ReleaseCheck } from './lib/options/MountOptions';
export type { Settings } from './lib/settings/Settings';
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
export type { PanelApiOptions, SourcePart, Sources } from './routes/PanelApiOptions';
