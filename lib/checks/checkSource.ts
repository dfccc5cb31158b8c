import type { Installation } from '../Installation';
import type { CheckResult } from '../options/MountOptions';
import type { Source } from '../sources/Source';

/** Whether a list can be served from what is there now, and exactly what is missing if not. */
export async function checkSource(
  source: Source,
  installation: Pick<Installation, 'database' | 'options'>,
): Promise<CheckResult> {
  const { state, missing, warnings } = await source.inspect('some');
  if (state === 'off') return { status: 'pass', detail: 'The panel switched this resource off.' };
  if (state === 'missing') return { status: 'warn', detail: missing.join(' ') };
  await readFirst(source, installation);
  return warnings.length > 0 ? { status: 'warn', detail: warnings.join(' ') } : { status: 'pass' };
}

/** Reads a row or two, to see whether the source answers. */
async function readFirst(
  source: Source,
  { database, options }: Pick<Installation, 'database' | 'options'>,
): Promise<void> {
  const signal = AbortSignal.timeout(options.deadlineMs);
  const rows = source.chunks(
    { filters: new Map(), updatedSince: null, accountId: null, after: null, limit: 1, signal },
    (name, statement) => database.query(name, statement),
  );
  await rows.next();
  await rows.return();
}
