import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { CommandFailure } from './exit';

const STICKY = 0o1000;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;

/**
 * Returns a function that says why code must not be run from a path, or null if it may be. The path itself, the target
 * of each link and every folder above must belong to root or to the user who runs the command, and others must not be
 * able to write there; then others cannot change them after the check.
 * The owners of the command's own file and folders are trusted too, because their code runs already.
 */
export function codeWarnings(): (path: string) => string | null {
  const user = process.geteuid?.();
  if (user === undefined) return () => null;
  const own = pathAndFoldersAbove(realpathSync(__filename));
  const owners = new Set([0, user, ...own.map((path) => lstatSync(path).uid)]);
  const trusted = new Set(own);
  const warningOf = (path: string): string | null => {
    for (const part of pathAndFoldersAbove(path)) {
      if (trusted.has(part)) continue;
      const reason = reasonOf(lstatSync(part), owners);
      if (reason !== null) return `Code is not run from ${part}: ${reason}.`;
      trusted.add(part);
    }
    return null;
  };
  return (path) => {
    try {
      return warningOf(path) ?? warningOf(realpathSync(path));
    } catch {
      return `Code is not run from ${path}: its owner cannot be read.`;
    }
  };
}

/** From now on calls `refuse` instead of loading a CommonJS file, JSON or native code that must not be run. */
export function guardLoading(refuse: (failure: CommandFailure) => never): void {
  const warningOf = codeWarnings();
  const { extensions } = createRequire(__filename);
  for (const [extension, load] of Object.entries(extensions)) {
    extensions[extension] = (module, file) => {
      const warning = warningOf(file);
      if (warning !== null) refuse(new CommandFailure('setup', warning));
      load?.(module, file);
    };
  }
}

function pathAndFoldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [...pathAndFoldersAbove(above), path];
}

function reasonOf(stats: Stats, owners: ReadonlySet<number>): string | null {
  const { uid, gid, mode } = stats;
  if (!owners.has(uid)) return `it belongs to another user (${uid})`;
  // A link cannot be written to; in a sticky folder others cannot replace files that they do not own.
  if (stats.isSymbolicLink() || (stats.isDirectory() && (mode & STICKY) !== 0)) return null;
  if ((mode & WRITABLE_BY_ALL) !== 0) return 'every user may write to it';
  // By default many systems let a user's own group, which has the user's number, write to the user's files.
  const ownGroup = uid !== 0 && gid === uid;
  return (mode & WRITABLE_BY_GROUP) !== 0 && !ownGroup ? 'its group may write to it' : null;
}
