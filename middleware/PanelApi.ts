import type Router from '@koa/router';
import type { AuditLog } from '../lib/audit/AuditLog';
import type { Settings } from '../lib/settings/Settings';
import type { Tokens } from '../lib/tokens/Tokens';
import type { Usage } from '../lib/usage/Usage';

/** The router of the API, and what a panel with an administration interface of its own needs beside it. */
export type PanelApi = Router & {
  /** Makes, lists, rotates and revokes tokens. */
  readonly tokens: Tokens;
  /** Reads the audit trail. */
  readonly audit: AuditLog;
  /** Reads and changes the settings, the switch of the API among them. */
  readonly settings: Settings;
  /** Reads how often tokens were used, and writes what is not written yet. */
  readonly usage: Usage;
};
