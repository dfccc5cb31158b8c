import type { Installation } from '../Installation';
import type { Source } from '../sources/Source';

/** Reads the first rows of a source, to see whether it answers and its rows can be read. */
export async function readFirst(
  source: Source,
  rows: number,
  { database, options }: Pick<Installation, 'database' | 'options'>,
): Promise<void> {
  const signal = AbortSignal.timeout(options.deadlineMs);
  const chunks = source.chunks(
    { filters: new Map(), updatedSince: null, accountId: null, after: null, limit: rows, signal },
    (name, statement) => database.query(name, statement),
  );
  await chunks.next();
  await chunks.return();
}
