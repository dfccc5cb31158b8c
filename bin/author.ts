import { userInfo } from 'node:os';
import type { Author } from '../lib/audit/AuditLog';

/** The author of the command's changes, for the audit trail: the person who called sudo, if sudo says so. */
export function cliAuthor(): Author {
  const { SUDO_USER: sudoer = '' } = process.env;
  // Any user can set the variable, so it is trusted only in a process of root.
  const trusted = process.geteuid?.() === 0 && /^[a-z_][a-z0-9_.@-]{0,63}\$?$/i.test(sudoer);
  return { actor: trusted ? sudoer : accountName(), origin: 'cli' };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user's id may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
