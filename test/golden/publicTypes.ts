import { join } from 'node:path';
import { runCommand } from '../runCommand';

const root = join(__dirname, '../..');

/** Returns the types that a file exports, as the compiler resolves them. The files are named from the root. */
export function publicTypes(config: string, entry: string): Promise<string> {
  return runCommand('node', [join(__dirname, 'printPublicTypes.mjs'), join(root, config), join(root, entry)]);
}
