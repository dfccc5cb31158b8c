import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Digests } from './digests';

const { name, version } = JSON.parse(readFileSync(packageFile(__dirname), 'utf8'));

/**
 * What the module was published as. The build replaces this file by its values, so that a bundle contains them.
 * `digests` are those of the built folders, and null if the module runs from source code.
 */
export const published: {
  readonly name: string;
  readonly version: string;
  readonly digests: Digests | null;
} = { name, version, digests: null };

/** The module's package.json, above the source or above the built files. */
function packageFile(folder: string): string {
  const file = join(folder, 'package.json');
  return existsSync(file) ? file : packageFile(dirname(folder));
}
