import { userInfo } from 'node:os';
import type { Author } from '../lib/audit/AuditLog';

/** As whom the command writes to the audit trail. */
export function cliAuthor(): Author {
  return { actor: systemUser(), origin: 'cli' };
}

/** Who sits at the terminal, for the audit trail: the person who called sudo, where sudo says so. */
function systemUser(): string {
  const { SUDO_USER: sudoer = '' } = process.env;
  // Anybody may set the variable; only as root does it come from sudo.
  const trusted = process.geteuid?.() === 0 && /^[a-z_][a-z0-9_.@-]{0,63}\$?$/i.test(sudoer);
  return trusted ? sudoer : accountName();
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the number of a user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
