import { createHash, type Hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** The file that contains the digests. */
export const PUBLISHED_FILE = 'lib/health/published.js';

/** The first 96 bits of SHA-256, which suffice to find a change, by the path of a folder below the built one. */
export type Digests = Readonly<Record<string, string>>;

/** Returns a digest of each folder: of the names and texts of its files that run, in the order of their paths. */
export async function digestFolders(built: string): Promise<Digests> {
  const entries = await readdir(built, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => relative(built, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== PUBLISHED_FILE)
    .sort();
  const hashes = new Map<string, Hash>();
  // One after another, so that other work gets the event loop and the threads that read files.
  for (const path of paths) {
    const hash = hashes.get(dirname(path)) ?? createHash('sha256');
    hashes.set(dirname(path), hash.update(`${path}\n`).update(await readFile(join(built, path))));
  }
  return Object.fromEntries(
    [...hashes].map(([folder, hash]) => [folder, hash.digest('base64url').slice(0, 16)]),
  );
}
