import { ForeignTable } from '../migrations/ForeignTable';
import type { Migrations } from '../migrations/Migrations';
import type { CheckResult } from '../options/MountOptions';

/** Whether all of the module's migrations were applied. */
export async function checkMigrations(migrations: Migrations): Promise<CheckResult> {
  const pending = await migrations.pending().catch(sentenceOf);
  if (typeof pending === 'string') return { status: 'fail', detail: pending };
  if (pending.length === 0) return { status: 'pass' };
  return { status: 'fail', detail: `Not applied: ${pending.join(', ')}.` };
}

function sentenceOf(error: unknown): string {
  if (error instanceof ForeignTable) return error.message;
  throw error;
}
