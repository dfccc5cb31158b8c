import type { AuditEntry } from '../lib/audit/AuditLog';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { PanelApi } from '../middleware/PanelApi';

/** What can be done with a token. */
export type TokenActionName = 'extend' | 'edit' | 'rotate' | 'duplicate' | 'revoke';

/** What the person who is signed in may see of the tokens, and do with them. */
export interface TokenView {
  /** Returns null if the token does not exist for the person. */
  get(id: number): Promise<TokenRecord | null>;
  /** Returns the token with those before and after it in its line of rotations, newest first. */
  lineage(token: TokenRecord): Promise<readonly TokenRecord[]>;
  /** Returns the last entries of the audit trail about the token, newest first. */
  entries(token: TokenRecord, limit: number): Promise<readonly AuditEntry[]>;
  /** Whether the person may see how a token of the view is used, and from which addresses it may be. */
  seesUse(token: TokenRecord): boolean;
  /** Returns how long a token may live that the person creates, extends or rotates. */
  life(): ReturnType<PanelApi['settings']['tokenLife']>;
  /** Whether the person may do this to a token of the view, whatever its state. */
  may(action: TokenActionName, token: TokenRecord): boolean;
}
