import { DatabaseFailure } from '../database/DatabaseFailure';
import { InvalidInput } from '../errors/InvalidInput';
import { AlreadyMade } from './AlreadyMade';
import { requestKey } from './makeToken';
import type { TokensParts } from './TokensParts';

/** What the databases call a value that is in a unique column already. */
const TAKEN = new Set(['ER_DUP_ENTRY', '23505', 'SQLITE_CONSTRAINT_UNIQUE']);

/**
 * Runs what makes a token under the id of a request. Throws AlreadyMade when it cannot, and the same request has made
 * one before: the unique column decides, for all processes.
 */
export async function makeOnce<T>(
  { database, table }: TokensParts,
  requestId: string | null,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    // A token that was rotated by the same request cannot be rotated again, for one.
    const explained =
      error instanceof InvalidInput || (error instanceof DatabaseFailure && TAKEN.has(error.code));
    if (requestId === null || !explained) throw error;
    const [row] = await database.query('tokens.made', (knex) =>
      knex(table)
        .select({ id: 'id' })
        .where({ request: requestKey(requestId) }),
    );
    throw row ? new AlreadyMade(Number(row.id)) : error;
  }
}
