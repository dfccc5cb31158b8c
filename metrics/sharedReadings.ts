import { Batcher, batchesByKey } from '../lib/async/Batcher';
import { withTimeout } from '../lib/async/withTimeout';
import type { Run } from '../lib/database/Statement';
import type { Family } from './exposition';

/** What a reading has returned, or that it has failed. */
export interface Outcome {
  /** Null if it has failed. */
  readonly families: readonly Family[] | null;
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  /** How long it took, without the wait for its place. */
  readonly tookMs: number;
}

/** A reading that a request asks for. */
export interface Asked {
  readonly tokenId: number;
  /** Whether what was read is shown again, and to requests that arrive while it is read. */
  readonly isKept: boolean;
  /** Waits for a place, and reads in it. */
  readonly enter: (read: (run: Run) => Promise<void>) => Promise<void>;
  readonly read: (run: Run) => Promise<readonly Family[]>;
}

/** The request that has waited for a place, and what runs statements in it. */
type Place = Asked & { readonly run: Run };

interface Kept {
  readonly outcome: Promise<Outcome>;
  /** Until when it is shown, by `performance.now()`. */
  until: number;
}

/** What takes longer is asked again only after SLOW_REST times as long: after a failure, MOST_REST_MS at most. */
const SLOW_MS = 1000;
const SLOW_REST = 60;
const MOST_REST_MS = 60_000;

/**
 * Readings that several scrapes share: while they are under way, and until they are too old. A reading that fails, or
 * takes longer than `patienceMs`, is shared only by the scrapes of the token that has waited for its place. Those of
 * other tokens then read for themselves.
 */
export class SharedReadings {
  readonly #maxAgeMs: number;
  readonly #patienceMs: number;
  /** What was read or is being read, by its key, and what could not be read, by its key and token. */
  readonly #kept = new Map<string, Kept>();
  readonly #batches = batchesByKey<Asked, Outcome, Place>(
    (key) =>
      new Batcher((asked, place) => this.#read(key, asked, place), {
        most: Infinity,
        patienceMs: Infinity,
        nameOf: ({ tokenId }) => tokenId,
        enter: (asked, batch) => asked.enter((run) => batch({ ...asked, run })),
      }),
  );

  constructor(maxAgeMs: number, patienceMs: number) {
    this.#maxAgeMs = maxAgeMs;
    this.#patienceMs = patienceMs;
  }

  /** Forgets the readings that are too old. */
  sweep(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#kept) if (until <= now) this.#kept.delete(key);
  }

  /**
   * Returns the outcome of the reading with this key, or reads; undefined if it waited for its place in vain, or failed
   * and may be repeated at once. Never rejects.
   */
  async ask(key: string, asked: Asked): Promise<Outcome | undefined> {
    const shared = asked.isKept ? await this.#known(key) : undefined;
    if (shared?.families) return shared;
    const failed = () => this.#known(failureKey(key, asked));
    return (await failed()) ?? this.#batches(key, asked).catch(failed);
  }

  #known(key: string): Promise<Outcome> | undefined {
    const kept = this.#kept.get(key);
    return kept && kept.until > performance.now() ? kept.outcome : undefined;
  }

  /** Reads once for these requests. Rejects if the reading fails. */
  async #read(key: string, asked: readonly Asked[], place: Place): Promise<readonly Promise<Outcome>[]> {
    const outcome = this.#outcomeOf(() => place.read(place.run));
    const kept: Kept = { outcome, until: Infinity };
    if (place.isKept) this.#kept.set(key, kept);
    const { families, startedAt, tookMs } = await outcome;
    const rest = tookMs > SLOW_MS ? tookMs * SLOW_REST : 0;
    kept.until = startedAt + Math.max(this.#maxAgeMs, tookMs + rest);
    if (families) return asked.map(() => outcome);
    kept.until = Math.min(kept.until, performance.now() + MOST_REST_MS);
    this.#kept.set(failureKey(key, place), kept);
    throw new Error('The reading has failed.');
  }

  async #outcomeOf(read: () => Promise<readonly Family[]>): Promise<Outcome> {
    const startedAt = performance.now();
    const families = await withTimeout(read(), this.#patienceMs).catch(() => null);
    return { families, startedAt, tookMs: performance.now() - startedAt };
  }
}

function failureKey(key: string, { tokenId }: Asked): string {
  return JSON.stringify([key, tokenId]);
}
