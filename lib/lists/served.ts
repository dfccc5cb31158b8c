import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Operation } from '../operations/Operation';
import type { Source, SourceReport } from '../sources/Source';

/** A mount's endpoints, and the sources of those that are lists. */
export interface ListParts {
  readonly operations: readonly Operation[];
  readonly sources: ReadonlyMap<string, Source>;
}

/** Returns the endpoints that this panel serves: objects, and lists with a source. Rejects like `servedReport`. */
export async function servedOperations({ operations, sources }: ListParts): Promise<readonly Operation[]> {
  const served: Operation[] = [];
  for (const operation of operations) {
    if (operation.kind === 'object' || (await servedReport(sources.get(operation.name))))
      served.push(operation);
  }
  return served;
}

/**
 * Returns what a source can serve; null if it cannot be served, or if a function of the panel throws, so that one
 * broken source does not hide the others. Rejects with a DatabaseFailure, because then nothing is known.
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
