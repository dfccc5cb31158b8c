import type { OwnTables } from '../database/migrations/Migrations';
import type { PanelLog } from '../log/PanelLog';
import { databaseLimiter } from './databaseLimiter';
import type { Limiter } from './Limiter';

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

interface LimiterParts extends OwnTables {
  readonly options: LimiterOptions;
  readonly prefix: string;
  readonly log: PanelLog;
}

/** Creates the limiter for the store that the panel chose. */
export function createLimiter({ options, prefix, log, ...own }: LimiterParts): Limiter {
  const { store, fallback } = options;
  if (store === 'database') return databaseLimiter(own);
  // Most panels count in the database, and load no other store.
  const { memoryLimiter, redisLimiter } = require('./storeLimiter') as typeof import('./storeLimiter');
  if (store === 'memory') return memoryLimiter();
  const fallbacks = { none: () => null, memory: memoryLimiter, database: () => databaseLimiter(own) };
  return redisLimiter(store, prefix, fallbacks[fallback](), () => log.warn('panel-api counts lost', {}));
}
