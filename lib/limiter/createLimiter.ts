import type { ModuleTables } from '../database/migrations/Migrations';
import type { PanelLog } from '../log/PanelLog';
import { DatabaseLimiter } from './DatabaseLimiter';
import type { Counted, Limiter } from './Limiter';

/** A client of ioredis or node-redis that the panel has connected. The module never closes it. */
export type Redis = { readonly [name in 'get' | 'eval' | 'multi']: (...args: never[]) => unknown };

/** The mount options that choose where requests are counted. */
export interface LimiterOptions {
  /**
   * Where requests are counted: `'database'`, exact across all processes that share the database; `'memory'`, in each
   * process by itself; or a connected client of ioredis or node-redis. Default `'database'`.
   */
  readonly store: 'database' | 'memory' | Redis;
  /**
   * Where requests are counted while Redis fails. With `'none'` they are answered with 503. Refused with any other store.
   * Default `'none'`.
   */
  readonly fallback: 'none' | 'memory' | 'database';
}

interface LimiterParts extends ModuleTables {
  readonly options: { readonly rateLimit: LimiterOptions; readonly tablePrefix: string };
  readonly log: PanelLog;
}

/** Creates the limiter for the store that the panel chose. @internal */
export function createLimiter({ options, log, ...moduleTables }: LimiterParts): Limiter {
  const { store, fallback } = options.rateLimit;
  const database = new DatabaseLimiter(moduleTables);
  if (store === 'database') return database;
  // Most panels count in the database, and load no other store.
  const { memoryLimiter, redisLimiter } = require('./storeLimiter') as typeof import('./storeLimiter');
  if (store === 'memory') return withLastUse(memoryLimiter(), database);
  const fallbacks = { none: () => null, memory: memoryLimiter, database: () => database };
  const onLoss = () => log.warn('panel-api counts lost', {});
  return withLastUse(redisLimiter(store, options.tablePrefix, fallbacks[fallback](), onLoss), database);
}

/** Adds to a store that only counts that the database stores the last use, once a second for each token. */
function withLastUse(store: Limiter, database: DatabaseLimiter): Limiter {
  const noted = new Set<number>();
  let second = 0;
  async function note(token: Counted, windowSeconds: number): Promise<void> {
    if (second !== token.readAt) noted.clear();
    second = token.readAt;
    if (noted.has(token.id)) return;
    await database.noteUse(token, windowSeconds);
    if (second === token.readAt) noted.add(token.id);
  }
  return {
    async count(token, windowSeconds) {
      const [hit] = await Promise.all([store.count(token, windowSeconds), note(token, windowSeconds)]);
      return hit;
    },
    probe: () => store.probe(),
  };
}
