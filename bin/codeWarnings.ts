import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { CommandFailure } from './exit';

const STICKY = 0o1000;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;

/**
 * Returns a function that says why code at a path must not be run, or null if it may be. The path, each link's target
 * and all parent folders must belong to root or to the current user, and others must not have write access; then others
 * cannot change them after the check. The owners of the command's own file and folders are trusted too, because their
 * code is already running.
 */
export function codeWarnings(): (path: string) => string | null {
  const user = process.geteuid?.();
  if (user === undefined) return () => null;
  const commandPaths = pathAndFoldersAbove(realpathSync(__filename));
  const owners = new Set([0, user, ...commandPaths.map((path) => lstatSync(path).uid)]);
  const trusted = new Set(commandPaths);
  const warningOf = (path: string): string | null => {
    for (const part of pathAndFoldersAbove(path)) {
      if (trusted.has(part)) continue;
      const reason = reasonOf(lstatSync(part), owners);
      if (reason !== null) return `The command does not run code from ${part}: ${reason}.`;
      trusted.add(part);
    }
    return null;
  };
  return (path) => {
    try {
      return warningOf(path) ?? warningOf(realpathSync(path));
    } catch {
      return `The command does not run code from ${path}: its owner cannot be read.`;
    }
  };
}

/** From now on calls `refuse` instead of loading a CommonJS file, JSON or native code that must not be run. */
export function guardLoading(refuse: (failure: CommandFailure) => never): void {
  const warningOf = codeWarnings();
  const check = (file: string) => {
    const warning = warningOf(file);
    if (warning !== null) refuse(new CommandFailure('setup', warning));
  };
  const { extensions } = createRequire(__filename);
  if ('bun' in process.versions) {
    // Without an entry of its own, Bun loads such a file by none.
    extensions['.cjs'] ??= extensions['.js'];
    const { dlopen } = process;
    // Bun loads native code by no entry.
    process.dlopen = (module: object, file: string, ...flags) => {
      check(file);
      dlopen(module, file, ...flags);
    };
  }
  for (const [extension, load] of Object.entries(extensions)) {
    extensions[extension] = (module, file) => {
      check(file);
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
  // A link itself is not writable. In a sticky folder others cannot replace files that they do not own.
  if (stats.isSymbolicLink() || (stats.isDirectory() && (mode & STICKY) !== 0)) return null;
  if ((mode & WRITABLE_BY_ALL) !== 0) return 'every user may write to it';
  // On many systems a user's own group, which has the user's number, has write access by default.
  const ownGroup = uid !== 0 && gid === uid;
  return (mode & WRITABLE_BY_GROUP) !== 0 && !ownGroup ? 'its group may write to it' : null;
}
