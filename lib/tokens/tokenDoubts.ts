import { EVERY_SCOPE } from '../operations/OperationFacts';
import { DAY_SECONDS } from '../time/daySeconds';
import type { TokenRecord } from './TokenRecord';

/** A token that nobody used for so long is worth a question: 90 days. */
export const UNUSED_SECONDS = 90 * DAY_SECONDS;

/** Why an administrator should look at a token that is good. */
export type TokenDoubt = 'everlasting' | 'wildcard' | 'unused';

/** What is doubtful about a token; nothing about one that has ended. */
export function tokenDoubts(token: TokenRecord): readonly TokenDoubt[] {
  if (token.state !== 'active') return [];
  const isOf: Readonly<Record<TokenDoubt, boolean>> = {
    everlasting: token.expiresAt === null,
    wildcard: token.scopes.includes(EVERY_SCOPE),
    unused: (token.lastUsedAt ?? token.createdAt) < token.readAt - UNUSED_SECONDS,
  };
  return (Object.keys(isOf) as TokenDoubt[]).filter((doubt) => isOf[doubt]);
}
