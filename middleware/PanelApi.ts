import type Router from '@koa/router';
import type { AuditLog } from '../lib/audit/AuditLog';
import type { Installation } from '../lib/Installation';
import type { Settings } from '../lib/settings/Settings';
import type { Tokens } from '../lib/tokens/Tokens';
import type { Usage } from '../lib/usage/Usage';

/** The router of the API, with its parts for a panel that has an administration interface of its own. */
export type PanelApi = Router & {
  /** Creates, lists, rotates and revokes tokens. */
  readonly tokens: Tokens;
  /** Reads the audit trail. */
  readonly audit: AuditLog;
  /** Reads and changes the settings, the switch of the API among them. */
  readonly settings: Settings;
  /** Reads the counts of use of each token, and writes those that are not in the database yet. */
  readonly usage: Usage;
};

const INSTALLATION = Symbol('installation');

/** Attaches its parts to the API, for the module's own use. */
export function attachInstallation<T extends object>(api: T, installation: Installation): T {
  return Object.defineProperty(api, INSTALLATION, { value: installation });
}

/** The parts of an API; null for a value that createPanelApi did not return. */
export function installationOf(api: unknown): Installation | null {
  if ((typeof api !== 'object' && typeof api !== 'function') || api === null) return null;
  return (api as { [INSTALLATION]?: Installation })[INSTALLATION] ?? null;
}
