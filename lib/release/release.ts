import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

interface ModuleFacts {
  readonly name: string;
  readonly version: string;
}

/** Reads the module's own name and version from its package.json. */
export function moduleFacts(): ModuleFacts {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return { name, version };
}

/** The folder of the module's package.json, above the source or above the built files. */
function packageRoot(folder = __dirname): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageRoot(dirname(folder));
}

/** The file with the digests of a built module, beside the built files. */
export const DIGESTS_FILE = 'release.json';

/** The first 96 bits of SHA-256, which suffice to find a change, by the file's path below the built folder. */
type Digests = Readonly<Record<string, string>>;

/** Returns the digests of all files below a folder that run, in the order of their paths. */
export async function digestFiles(folder: string): Promise<Digests> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(js|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const digests: [string, string][] = [];
  // One after another, so that other work gets the event loop and the threads that read files.
  for (const file of files) {
    const digest = createHash('sha256')
      .update(await readFile(file))
      .digest('base64url')
      .slice(0, 16);
    digests.push([relative(folder, file).split(sep).join('/'), digest]);
  }
  return Object.fromEntries(digests);
}

/** The digests that were written when the folder was built, or null if there are none. */
export async function publishedDigests(folder: string): Promise<Digests | null> {
  try {
    return JSON.parse(await readFile(join(folder, DIGESTS_FILE), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
