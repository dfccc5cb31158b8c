import { withTimeout } from '../lib/async/withTimeout';
import type { Family } from './exposition';

/** What a reading has returned, or that it has failed. */
export interface Outcome {
  /** Null if it has failed. */
  readonly families: readonly Family[] | null;
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  /** How long it took, without the wait for its turn. */
  readonly tookMs: number;
}

/** Reads, and calls `begin` when it no longer waits for its turn. */
export type Read = (begin: () => void) => Promise<readonly Family[]>;

/** What takes longer is asked again only after SLOW_REST times as long. */
const SLOW_MS = 1000;
const SLOW_REST = 60;

interface Kept {
  readonly outcome: Promise<Outcome>;
  /** Until when it is shown, by `performance.now()`. */
  until: number;
}

/**
 * Readings that several scrapes share: while they are under way, and until they are too old. A reading fails if it takes
 * longer than `patienceMs`.
 */
export function createSharedReadings(maxAgeMs: number, patienceMs: number) {
  const readings = new Map<string, Kept>();

  async function outcomeOf(read: Read): Promise<Outcome> {
    const askedAt = performance.now();
    let begunAt: number | undefined;
    const begin = () => {
      begunAt = performance.now();
    };
    const families = await withTimeout(read(begin), patienceMs).catch(() => null);
    const startedAt = begunAt ?? askedAt;
    return { families, startedAt, tookMs: begunAt === undefined ? 0 : performance.now() - startedAt };
  }

  return {
    /** Forgets the readings that are too old. */
    sweep(): void {
      const now = performance.now();
      for (const [key, { until }] of readings) if (until <= now) readings.delete(key);
    },

    /** Returns the outcome of the reading with this key, or reads. Never rejects. */
    ask(key: string, read: Read): Promise<Outcome> {
      const known = readings.get(key);
      if (known && known.until > performance.now()) return known.outcome;
      const kept: Kept = { outcome: outcomeOf(read), until: Infinity };
      readings.set(key, kept);
      void kept.outcome.then(({ startedAt, tookMs }) => {
        const rest = tookMs > SLOW_MS ? tookMs * (1 + SLOW_REST) : 0;
        kept.until = startedAt + Math.max(maxAgeMs, rest);
      });
      return kept.outcome;
    },
  };
}
