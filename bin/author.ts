import { userInfo } from 'node:os';
import type { Author } from '../lib/audit/AuditLog';

/** The author of the command's changes, for the audit trail: the person who called sudo, if sudo says so. */
export function cliAuthor(): Author {
  const { SUDO_USER: sudoer = '' } = process.env;
  // Every user may set the variable; only as root does it come from sudo.
  const trusted = process.geteuid?.() === 0 && /^[a-z_][a-z0-9_.@-]{0,63}\$?$/i.test(sudoer);
  return { actor: trusted ? sudoer : accountName(), origin: 'cli' };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the number of a user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
