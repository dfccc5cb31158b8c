import { randomBytes } from 'node:crypto';
import { type Engine, engines, freshDatabase } from '../../fixture/databases';
import { serverUrl } from '../../servers/serverUrl';
import { isWhole } from '../scale';

export type Store = Engine | 'ioredis' | 'node-redis' | 'memory';

export const STORES: readonly Store[] = [
  ...engines,
  'ioredis',
  ...(isWhole ? (['node-redis', 'memory'] as const) : []),
];

/** A database of its own for the processes of a test that count in this store, and what else they need for it. */
export async function countingIn(store: Store) {
  const isRedis = store === 'ioredis' || store === 'node-redis';
  return {
    database: await freshDatabase(isRedis || store === 'memory' ? 'sqlite' : store),
    options: {
      // All tests share Redis.
      tablePrefix: `p${randomBytes(6).toString('hex')}_`,
      ...(store === 'memory' && { rateLimit: { store } as const }),
    },
    redis: isRedis
      ? ({ client: store, kind: 'server', urls: [await serverUrl('redis')] } as const)
      : undefined,
    // SQLite reads the clock of the process that counts, and memory is that process.
    env: store === 'sqlite' ? { SQLITE_CLOCK: 'of the process' } : {},
  };
}
