import { EventEmitter } from 'node:events';
import { sharedRuns } from '../lib/async/sharedRuns';
import { withTimeout } from '../lib/async/withTimeout';
import type { ReadSlot } from '../lib/requests/PanelReader';
import type { Family } from './exposition';

/** What a reading has returned, or that it has failed. */
export interface Outcome {
  /** Null if it has failed. */
  readonly families: readonly Family[] | null;
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  /** How long it took, without the wait for its slot. */
  readonly tookMs: number;
}

/** A reading that a request asks for. */
export interface WantedReading {
  readonly tokenId: number;
  /** Whether what was read is shown again, and to requests that arrive while it is read. */
  readonly isKept: boolean;
  /** Waits for a slot, and reads in it. */
  readonly enter: <T>(read: (slot: ReadSlot) => Promise<T>) => Promise<T>;
  readonly read: (slot: ReadSlot) => Promise<readonly Family[]>;
}

interface Kept {
  readonly outcome: Promise<Outcome>;
  /** Until when it is shown, by `performance.now()`. */
  until: number;
}

/** What takes longer is read again only after SLOW_REST times as long: after a failure, MOST_REST_MS at most. */
const SLOW_MS = 1000;
const SLOW_REST = 60;
const MOST_REST_MS = 60_000;

/**
 * Readings that several scrapes share: while they are under way, and until they are too old. A reading that fails, or
 * takes longer than `patienceMs`, is shared only by the scrapes of the token that has waited for its slot. Those of
 * other tokens then read for themselves.
 */
export class SharedReadings {
  readonly #maxAgeMs: number;
  readonly #patienceMs: number;
  /** What was read or is being read, by its key, and what could not be read, by its key and token. */
  readonly #kept = new Map<string, Kept>();
  /** Emits each reading that begins, by its key. */
  readonly #begun = new EventEmitter().setMaxListeners(0);
  /** Readings by their key and token: no token waits for the slot of another one. */
  readonly #runs = sharedRuns<readonly [key: string, wanted: WantedReading], Outcome>(([first]) =>
    this.#read(...first),
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
   * Returns the outcome of the reading with this key, or reads; undefined if it waited for its slot in vain, or failed
   * and may be repeated at once. Never rejects.
   */
  ask(key: string, wanted: WantedReading): Promise<Outcome | undefined> {
    const ofToken = failureKey(key, wanted);
    return this.#runs(ofToken, [key, wanted]).catch(() => this.#known(ofToken));
  }

  #known(key: string): Promise<Outcome> | undefined {
    const kept = this.#kept.get(key);
    return kept && kept.until > performance.now() ? kept.outcome : undefined;
  }

  /** Returns what is known, or reads in a slot of the request's, unless another token's reading begins before. */
  async #read(key: string, wanted: WantedReading): Promise<Outcome> {
    for (;;) {
      const shared = wanted.isKept ? await this.#known(key) : undefined;
      if (shared?.families) return shared;
      const failed = await this.#known(failureKey(key, wanted));
      if (failed) return failed;
      const outcome = await this.#readInSlot(key, wanted);
      if (outcome) return outcome;
    }
  }

  /**
   * Waits for a slot, and reads in it, or for a reading that begins before and that the request may share. Rejects if its
   * own reading fails; null if the other one does.
   */
  async #readInSlot(key: string, wanted: WantedReading): Promise<Outcome | null> {
    let share: (reading: Promise<Outcome>) => void = () => {};
    const other = new Promise<Outcome | null>((resolve) => {
      share = (reading) => resolve(reading.then((outcome) => outcome.families && outcome));
    });
    if (wanted.isKept) this.#begun.on(key, share);
    let isOver = false;
    const read = wanted.enter(async (slot) => {
      const kept = wanted.isKept ? this.#kept.get(key) : undefined;
      if (kept?.until === Infinity) share(kept.outcome);
      else if (!isOver) {
        this.#begun.off(key, share);
        return this.#readNow(key, wanted, slot);
      }
      return null;
    });
    const result = read.then((outcome) => {
      if (outcome?.families === null) throw new Error('The reading has failed.');
      return outcome ?? other;
    });
    try {
      return await Promise.race([result, other]);
    } finally {
      isOver = true;
      this.#begun.off(key, share);
    }
  }

  async #readNow(key: string, wanted: WantedReading, slot: ReadSlot): Promise<Outcome> {
    const outcome = this.#outcomeOf(() => wanted.read(slot));
    const kept: Kept = { outcome, until: Infinity };
    if (wanted.isKept) {
      this.#kept.set(key, kept);
      this.#begun.emit(key, outcome);
    }
    const { families, startedAt, tookMs } = await outcome;
    const rest = tookMs > SLOW_MS ? tookMs * SLOW_REST : 0;
    kept.until = startedAt + Math.max(this.#maxAgeMs, tookMs + rest);
    if (families) return outcome;
    kept.until = Math.min(kept.until, performance.now() + MOST_REST_MS);
    this.#kept.set(failureKey(key, wanted), kept);
    return outcome;
  }

  async #outcomeOf(read: () => Promise<readonly Family[]>): Promise<Outcome> {
    const startedAt = performance.now();
    const families = await withTimeout(read(), this.#patienceMs).catch(() => null);
    return { families, startedAt, tookMs: performance.now() - startedAt };
  }
}

function failureKey(key: string, { tokenId }: WantedReading): string {
  return JSON.stringify([key, tokenId]);
}
