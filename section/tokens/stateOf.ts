import type { TokenRecord } from '../../lib/tokens/TokenRecord';

/** The state in a word; one that was rotated and is still good is named so. */
export function stateOf({ state, rotatedAt }: TokenRecord): string {
  if (rotatedAt === null || state === 'revoked') return state;
  return state === 'active' ? 'replaced, still good' : 'replaced';
}
