import { type Stats, statSync } from 'node:fs';

const WRITABLE_BY_ALL = 0o002;

/** Whether nobody but root and the user who runs the command can have put something into the folder. */
export function isTrustedFolder(folder: string): boolean {
  const stats = statsOf(folder);
  if (!stats) return false;
  return (stats.uid === 0 || stats.uid === process.geteuid?.()) && (stats.mode & WRITABLE_BY_ALL) === 0;
}

function statsOf(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch {
    // A folder that may not be looked at is none to take code from.
    return undefined;
  }
}
