import { randomBytes } from 'node:crypto';
import { type Engine, engines, freshDatabase } from '../../fixture/databases';
import { serverUrl } from '../../servers/serverUrl';
import { isWhole } from '../scale';

export type Store = Engine | 'redis';

export const STORES: readonly Store[] = isWhole ? [...engines, 'redis'] : ['redis'];

/** A database of its own for the processes of a test that count in this store, and what else they need for it. */
export async function countingIn(store: Store) {
  return {
    database: await freshDatabase(store === 'redis' ? 'sqlite' : store),
    // All tests share Redis.
    tablePrefix: `p${randomBytes(6).toString('hex')}_`,
    redis:
      store === 'redis'
        ? ({ client: 'ioredis', kind: 'server', urls: [await serverUrl('redis')] } as const)
        : undefined,
  };
}
