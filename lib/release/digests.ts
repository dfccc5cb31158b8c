import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The file that contains the digests of all others. */
export const PUBLISHED_FILE = 'lib/release/published.js';

/** The first 48 bits of SHA-256, which suffice to find a change, by the file's path below the built folder. */
export type Digests = Readonly<Record<string, string>>;

/** Returns the digests of all files below a folder that run, in the order of their paths. */
export async function digestFiles(folder: string): Promise<Digests> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== PUBLISHED_FILE)
    .sort();
  const digests: [string, string][] = [];
  // One after another, so that other work gets the event loop and the threads that read files.
  for (const path of files) {
    const digest = createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('base64url')
      .slice(0, 8);
    digests.push([path, digest]);
  }
  return Object.fromEntries(digests);
}
