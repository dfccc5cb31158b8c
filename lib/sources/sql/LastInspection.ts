import { sharedRuns } from '../../async/sharedRuns';
import type { Run } from '../../database/Statement';
import type { SourceReport } from '../Source';

/**
 * For how many milliseconds an inspection is valid. The first request after that starts a new one, and waits for it only
 * if the list could not be served.
 */
const VALID_MS = { served: 60_000, unserved: 5000 } as const;

/**
 * Keeps what the last inspection of the columns of a list found, and inspects again if that is too old. `requests`
 * are the slots for inspections that requests wait for, `checks` those for others.
 */
export class LastInspection<Found extends { readonly report: Pick<SourceReport, 'state'> }> {
  readonly #inspect: (run: Run) => Promise<Found>;
  readonly #requests: Run;
  readonly #checks: Run;
  readonly #shared: (key: string, asked: null) => Promise<Found>;
  #last: { readonly found: Found; readonly at: number } | undefined;
  /** When the last inspection began that no request waited for. */
  #renewedAt = 0;

  constructor(inspect: (run: Run) => Promise<Found>, requests: Run, checks: Run) {
    this.#inspect = inspect;
    this.#requests = requests;
    this.#checks = checks;
    // A request may have waited for an inspection that others began.
    this.#shared = sharedRuns(async () => this.#valid(requests) ?? this.afresh(requests));
  }

  /** What the last one found, however old. */
  get found(): Found | undefined {
    return this.#last?.found;
  }

  /** Inspects, whatever is known. */
  async afresh(run: Run): Promise<Found> {
    const at = performance.now();
    const found = await this.#inspect(run);
    // Another inspection may have begun later and ended earlier.
    if (!this.#last || this.#last.at <= at) this.#last = { found, at };
    return found;
  }

  /**
   * Returns what is known, or inspects. Simultaneous requests share an inspection, unless `run` is a slot of the
   * request's own. A check does not renew what is known.
   */
  async known(run: Run = this.#requests): Promise<Found> {
    return this.#valid(run) ?? (run === this.#requests ? this.#shared('', null) : this.afresh(run));
  }

  /** Forgets what was found, because a statement that was made from it failed. */
  forget(failed: Found): void {
    // Another request may have inspected since.
    if (this.#last?.found === failed) this.#last = undefined;
  }

  #valid(run: Run): Found | undefined {
    if (!this.#last) return undefined;
    const { found, at } = this.#last;
    const now = performance.now();
    if (found.report.state !== 'served') return now - at < VALID_MS.unserved ? found : undefined;
    const isOld = now - Math.max(at, this.#renewedAt) >= VALID_MS.served;
    // A health check is polled: whether the list can be read costs it one statement, and its columns none.
    if (isOld && run !== this.#checks) {
      this.#renewedAt = now;
      // If it fails, the known columns are served until the next one.
      this.afresh(this.#checks).catch(() => undefined);
    }
    return found;
  }
}
