import type { Installation } from '../lib/Installation';
import { CommandFailure } from './CommandFailure';

/** Brings the module's tables, unless the panel wants that done by hand. Throws a CommandFailure then. */
export async function prepareTables({ migrations, options }: Installation): Promise<void> {
  if (options.migrate) return migrations.ready();
  if ((await migrations.pending()).length === 0) return;
  throw new CommandFailure('setup', "The module's tables are missing or out of date: run panel-api migrate.");
}
