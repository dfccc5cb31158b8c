import type { Installation } from '../Installation';
import { RequestEnd } from '../operations/RequestEnd';
import type { Source } from '../sources/Source';

/** Reads the first rows of a source, to see whether it answers and its rows can be read. */
export async function readFirst(
  source: Source,
  rows: number,
  { database, options }: Pick<Installation, 'database' | 'options'>,
): Promise<void> {
  const reading = database.reading('checks');
  const end = RequestEnd.after(options.deadlineMs);
  const chunks = source.chunks(
    { filters: new Map(), updatedSince: null, accountId: null, after: null, limit: rows, end },
    (name, statement) => reading.query(name, statement),
  );
  await chunks.next();
  await chunks.return();
}
