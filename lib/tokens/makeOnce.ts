import { setTimeout } from 'node:timers/promises';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import { AlreadyMade } from './AlreadyMade';
import { type CreatedToken, requestKey } from './makeToken';
import type { TokensParts } from './TokensParts';
import { tokenHash } from './tokenFormat';

/** What the databases call a value that is in a unique column already. */
const TAKEN = new Set(['ER_DUP_ENTRY', '23505', 'SQLITE_CONSTRAINT_UNIQUE']);

/** The codes of a transaction that may have been committed all the same, if its COMMIT was sent. */
const UNANSWERED = new Set(['COMMIT_UNANSWERED', 'DEADLINE']);

const PAUSE_MS = 200;

interface Creation<T> {
  /** The name of the transaction. */
  readonly name: string;
  readonly requestId: string | null;
  readonly make: (session: Session) => Promise<T>;
  readonly revoke: (tokenId: number) => Promise<unknown>;
}

/**
 * Creates a token in a transaction, under the id of a request. Throws AlreadyMade when it cannot, and the same request
 * has created one before: the unique column decides, for all processes.
 * If the answer to COMMIT is lost, the caller never sees the token: it is looked for by its hash, because the same
 * request may have created another one since, and revoked. If the look fails too, the DatabaseFailure has the code
 * COMMIT_UNKNOWN.
 */
export async function makeOnce<T extends CreatedToken | null>(
  parts: TokensParts,
  creation: Creation<T>,
): Promise<T> {
  const { name, requestId, make } = creation;
  let made: T | null = null;
  try {
    return await parts.database.transaction(name, async (session) => {
      made = null;
      made = await make(session);
      return made;
    });
  } catch (error) {
    const code = error instanceof DatabaseFailure ? error.code : null;
    const unseen = made as CreatedToken | null;
    if (code !== null && UNANSWERED.has(code) && unseen) await revokeUnseen(parts, unseen, creation);
    // A token that was rotated by the same request cannot be rotated again, for one.
    const explained = error instanceof InvalidInput || (code !== null && TAKEN.has(code));
    if (requestId === null || !explained) throw error;
    const tokenId = await findId(parts, { request: requestKey(requestId) });
    throw tokenId === null ? error : new AlreadyMade(tokenId);
  }
}

/** Revokes the token if it is there, or comes to be there within the time of one query. */
async function revokeUnseen(
  parts: TokensParts,
  { token }: CreatedToken,
  { name, revoke }: Creation<unknown>,
): Promise<void> {
  const until = performance.now() + parts.database.deadlineMs;
  let answered = false;
  do {
    const revoked = await findId(parts, { hash: tokenHash(token) })
      .then(async (tokenId) => tokenId !== null && (await revoke(tokenId)))
      .catch(() => undefined);
    if (revoked) return;
    answered = revoked !== undefined;
    await setTimeout(PAUSE_MS);
  } while (performance.now() < until);
  if (!answered) throw new DatabaseFailure(name, 'COMMIT_UNKNOWN');
}

async function findId({ database, table }: TokensParts, by: object): Promise<number | null> {
  const [row] = await database.query('tokens.made', (knex) => knex(table).select({ id: 'id' }).where(by));
  return row ? Number(row.id) : null;
}
