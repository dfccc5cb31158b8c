import type Router from '@koa/router';
import type { AuditLog } from '../lib/audit/AuditLog';
import type { Installation } from '../lib/Installation';
import type { Settings } from '../lib/settings/Settings';
import type { Tokens } from '../lib/tokens/Tokens';
import type { Usage } from '../lib/usage/Usage';
import type { OtherMounts } from './hosts';

/** The router of the mounted API, with the methods for a panel that has an administration interface of its own. */
export type PanelApi = Router &
  OtherMounts & {
    /** Creates, lists, rotates and revokes tokens. */
    readonly tokens: Tokens;
    /** Reads the audit trail. */
    readonly audit: AuditLog;
    /** Reads and changes the settings, the switch of the API among them. */
    readonly settings: Settings;
    /** Reads the usage counts of each token, and writes those that are not in the database yet. */
    readonly usage: Usage;
  };

const INSTALLATION = Symbol('installation');

/** Attaches the installation to the API, for the module's own use. @internal */
export function attachInstallation<T extends object>(api: T, installation: Installation): T {
  return Object.defineProperty(api, INSTALLATION, { value: installation });
}

/** The installation behind an API. @internal */
export function installationOf(api: PanelApi): Installation;
/** The installation behind an API; null if createPanelApi did not return the value. @internal */
export function installationOf(api: unknown): Installation | null;
export function installationOf(api: unknown): Installation | null {
  return Object(api)[INSTALLATION] ?? null;
}
