import type { CheckResult } from '../options/MountOptions';
import type { Source } from '../sources/Source';

/** Whether a list can be served from what is there now, and exactly what is missing if not. */
export async function checkSource(source: Source): Promise<CheckResult> {
  const { state, missing, warnings } = await source.inspect();
  if (state === 'off') return { status: 'pass', detail: 'The panel switched this resource off.' };
  if (state === 'missing') return { status: 'warn', detail: missing.join(' ') };
  await source.probe();
  return warnings.length > 0 ? { status: 'warn', detail: warnings.join(' ') } : { status: 'pass' };
}
