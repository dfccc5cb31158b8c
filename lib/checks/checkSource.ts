import type { Installation } from '../Installation';
import type { CheckResult } from '../options/MountOptions';
import { KeyNotUnique } from '../sources/KeyNotUnique';
import { OutOfOrder } from '../sources/OutOfOrder';
import type { Source } from '../sources/Source';
import { UnreadableRow } from '../sources/UnreadableRow';
import { checkReferences } from './checkReferences';
import { readFirst } from './readFirst';

/** Whether a list can be served from what is there now, and exactly what is missing if not. */
export async function checkSource(
  resource: string,
  source: Source,
  installation: Pick<Installation, 'database' | 'options' | 'operations' | 'sources'>,
): Promise<CheckResult> {
  const report = await source.inspect('some');
  const { state, missing } = report;
  if (state === 'off') return { status: 'pass', detail: 'The panel switched this resource off.' };
  if (state === 'missing') return { status: 'warn', detail: missing.join(' ') };
  const wrong = await readFirst(source, 1, installation).then(() => null, sayWrong);
  if (wrong !== null) return { status: 'fail', detail: wrong };
  const warnings = [...report.warnings, ...(await checkReferences(resource, report, installation))];
  return warnings.length > 0 ? { status: 'warn', detail: warnings.join(' ') } : { status: 'pass' };
}

/** What is wrong with the rows of a source, in a sentence; any other failure is thrown on. */
export function sayWrong(error: unknown): string {
  if (error instanceof KeyNotUnique) return `${error.message} The columns of its key must tell rows apart.`;
  if (error instanceof OutOfOrder || error instanceof UnreadableRow) return error.message;
  throw error;
}
