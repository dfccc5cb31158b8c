import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Where the digests of a built module stand, beside the files that they are of. */
export const DIGESTS_FILE = 'release.json';

/** SHA-256 in hexadecimal by the file's path below the built folder. */
export type Digests = Readonly<Record<string, string>>;

/** The digests of every file below a folder but the digests' own, in the order of their paths. */
export function digestFiles(folder: string): Digests {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== DIGESTS_FILE)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    files.map((file) => [
      relative(folder, file).split(sep).join('/'),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );
}

/** The digests that were written when the folder was built, or null where none were. */
export function publishedDigests(folder: string): Digests | null {
  const file = join(folder, DIGESTS_FILE);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
