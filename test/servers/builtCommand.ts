import { existsSync } from 'node:fs';
import { join } from 'node:path';

const file = join(__dirname, '..', '..', 'dist', 'bin', 'panel-api.js');

/** The file of the command, as `npm run build` writes it. Throws if it is not built. */
export function builtCommand(): string {
  if (!existsSync(file)) throw new Error('The command is not built: run npm run build.');
  return file;
}
