import { sharedRun } from '../../async/Batcher';
import type { Run } from '../../database/Statement';
import type { SourceReport } from '../Source';

/**
 * For how many milliseconds a look holds. The first request after that starts a new look, and waits for it only if the
 * list could not be served.
 */
const HOLDS_MS = { served: 60_000, unserved: 5000 } as const;

/** Keeps what the last look at the columns of a list found, and looks again if that is too old. */
export class LastLook<Look extends { readonly report: Pick<SourceReport, 'state'> }> {
  readonly #look: (run: Run) => Promise<Look>;
  readonly #runs: { readonly requests: Run; readonly checks: Run };
  // A request may have waited for a look that others began.
  readonly #together = sharedRun(async (run: Run) => this.#held(run) ?? this.afresh(run));
  #last: { readonly look: Look; readonly at: number } | undefined;
  /** When the last look began that no request waited for. */
  #renewedAt = 0;

  /** `look` looks at the database. `runs` has the slots for looks that requests wait for, and for others. */
  constructor(look: (run: Run) => Promise<Look>, runs: { readonly requests: Run; readonly checks: Run }) {
    this.#look = look;
    this.#runs = runs;
  }

  get found(): Look | undefined {
    return this.#last?.look;
  }

  /**
   * Returns what is known, or looks. Simultaneous requests share a look, unless `run` is a slot of the request's own. A
   * check does not renew what is known.
   */
  async known(run: Run = this.#runs.requests): Promise<Look> {
    return this.#held(run) ?? (run === this.#runs.requests ? this.#together.ask(run) : this.afresh(run));
  }

  /** Looks, whatever is known. */
  async afresh(run: Run): Promise<Look> {
    const at = performance.now();
    const look = await this.#look(run);
    // Another look may have begun later and ended earlier.
    if (!this.#last || this.#last.at <= at) this.#last = { look, at };
    return look;
  }

  /** Forgets this look, because a statement that was made from it failed. */
  forget(look: Look): void {
    // Another request may have looked since.
    if (this.found === look) this.#last = undefined;
  }

  #held(run: Run): Look | undefined {
    if (!this.#last) return undefined;
    const { look, at } = this.#last;
    const now = performance.now();
    if (look.report.state !== 'served') return now - at < HOLDS_MS.unserved ? look : undefined;
    const isOld = now - Math.max(at, this.#renewedAt) >= HOLDS_MS.served;
    // A health check is polled: whether the list can be read costs it one statement, and its columns none.
    if (isOld && run !== this.#runs.checks) {
      this.#renewedAt = now;
      // If it fails, the known columns are served until the next one.
      this.afresh(this.#runs.checks).catch(() => undefined);
    }
    return look;
  }
}
