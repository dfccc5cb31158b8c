import type { Migrations } from '../migrations/Migrations';
import type { CheckResult } from '../options/MountOptions';

/** Whether all of the module's migrations were applied. */
export async function checkMigrations(migrations: Migrations): Promise<CheckResult> {
  const pending = await migrations.pending();
  if (pending.length === 0) return { status: 'pass' };
  return { status: 'fail', detail: `Not applied: ${pending.join(', ')}.` };
}
