import type { Author } from '../lib/audit/AuditLog';
import { systemUser } from './systemUser';

/** As whom the command writes to the audit trail. */
export function cliAuthor(): Author {
  return { actor: systemUser(), origin: 'cli' };
}
