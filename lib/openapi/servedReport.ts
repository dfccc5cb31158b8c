import { DatabaseFailure } from '../database/DatabaseFailure';
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
