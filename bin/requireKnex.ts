import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { knex } from 'knex';
import { CommandFailure } from './CommandFailure';
import { codeDoubts } from './codeDoubts';
import type { Driver } from './DatabaseAddress';

/**
 * The knex that sees the driver: the panel's, when the command is called in the panel's folder, else the one that is
 * installed beside this module. Root may stand in a customer's home: packages that another user could change are
 * passed over. Throws a CommandFailure that names the missing package, or the file that must not be run.
 */
export function requireKnex(driver: Driver): typeof knex {
  const doubtOf = codeDoubts();
  const doubts: string[] = [];
  const mayRun = (path: string): boolean => {
    const doubt = doubtOf(path);
    if (doubt !== null) doubts.push(doubt);
    return doubt === null;
  };
  const installed = (name: string, from: string): readonly string[] =>
    (createRequire(from).resolve.paths(name) ?? [])
      .map((folder) => join(folder, name))
      .flatMap((folder) => {
        const file = resolved(folder);
        return file !== null && mayRun(folder) && mayRun(file) ? [file] : [];
      });
  const seen = [join(process.cwd(), 'package.json'), __filename].flatMap((from) => installed('knex', from));
  const knexFile = seen.find((file) => installed(driver, file).length > 0);
  if (knexFile !== undefined) return createRequire(__filename)(knexFile).knex;
  const missing = seen.length === 0 ? 'knex' : driver;
  throw new CommandFailure(
    'setup',
    doubts[0] ?? `The package ${missing} is not installed: npm install ${missing}.`,
  );
}

function resolved(request: string): string | null {
  try {
    return createRequire(__filename).resolve(request);
  } catch {
    return null;
  }
}
