import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Installation } from '../Installation';
import type { OperationFacts } from '../operations/OperationFacts';
import type { Source, SourceReport } from '../sources/Source';

/**
 * What a list's source gives; null where it gives nothing, or a function of the panel's that it consists of throws:
 * one broken source leaves the others in the document. Rejects with a DatabaseFailure, for then nobody can say.
 */
export async function servedReport(source: Source | undefined): Promise<SourceReport | null> {
  try {
    const report = await source?.report();
    return report?.state === 'served' ? report : null;
  } catch (error) {
    if (error instanceof DatabaseFailure) throw error;
    return null;
  }
}

/** The endpoints that this panel serves: every object, and each list that has a source. Rejects like `servedReport`. */
export async function servedOperations({
  operations,
  sources,
}: Pick<Installation, 'operations' | 'sources'>): Promise<readonly OperationFacts[]> {
  const served: OperationFacts[] = [];
  for (const operation of operations) {
    if (operation.kind === 'object' || (await servedReport(sources.get(operation.name))))
      served.push(operation);
  }
  return served;
}
