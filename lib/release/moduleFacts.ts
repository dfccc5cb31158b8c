import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ModuleFacts {
  readonly name: string;
  readonly version: string;
}

/** The module's own name and version, from its package.json. */
export function moduleFacts(): ModuleFacts {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return { name, version };
}

/** The folder of the module's package.json: one or two above, as the source or the built files lie. */
function packageRoot(folder = __dirname): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageRoot(dirname(folder));
}
