import { userInfo } from 'node:os';
import type { Author } from '../lib/audit/AuditLog';

/** The actor of the command's changes in the audit trail: the user who called sudo, if sudo was used. */
export function cliAuthor(): Author {
  const { SUDO_USER: sudoer = '' } = process.env;
  // Any user can set the variable, so it is trusted only if the process belongs to root.
  const trusted = process.geteuid?.() === 0 && /^[a-z_][a-z0-9_.@-]{0,63}\$?$/i.test(sudoer);
  return { actor: trusted ? sudoer : accountName(), origin: 'cli' };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user id may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
