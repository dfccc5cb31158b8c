import { sharedRuns } from '../../async/sharedRuns';
import type { Run } from '../../database/Statement';
import type { SourceReport } from '../Source';

/**
 * For how many milliseconds a look holds. The first request after that starts a new look, and waits for it only if the
 * list could not be served.
 */
const HOLDS_MS = { served: 60_000, unserved: 5000 } as const;

/**
 * Keeps what the last look at the columns of a list found, and looks again if that is too old. `look` looks at the
 * database; `runs` has the slots for looks that requests wait for, and for others.
 */
export function lastLook<Look extends { readonly report: Pick<SourceReport, 'state'> }>(
  look: (run: Run) => Promise<Look>,
  runs: { readonly requests: Run; readonly checks: Run },
) {
  let last: { readonly found: Look; readonly at: number } | undefined;
  /** When the last look began that no request waited for. */
  let renewedAt = 0;

  /** Looks, whatever is known. */
  async function afresh(run: Run): Promise<Look> {
    const at = performance.now();
    const found = await look(run);
    // Another look may have begun later and ended earlier.
    if (!last || last.at <= at) last = { found, at };
    return found;
  }

  function held(run: Run): Look | undefined {
    if (!last) return undefined;
    const { found, at } = last;
    const now = performance.now();
    if (found.report.state !== 'served') return now - at < HOLDS_MS.unserved ? found : undefined;
    const isOld = now - Math.max(at, renewedAt) >= HOLDS_MS.served;
    // A health check is polled: whether the list can be read costs it one statement, and its columns none.
    if (isOld && run !== runs.checks) {
      renewedAt = now;
      // If it fails, the known columns are served until the next one.
      afresh(runs.checks).catch(() => undefined);
    }
    return found;
  }

  // A request may have waited for a look that others began.
  const together = sharedRuns(async () => held(runs.requests) ?? afresh(runs.requests));

  return {
    afresh,
    found: () => last?.found,
    /**
     * Returns what is known, or looks. Simultaneous requests share a look, unless `run` is a slot of the request's own. A
     * check does not renew what is known.
     */
    known: async (run: Run = runs.requests): Promise<Look> =>
      held(run) ?? (run === runs.requests ? together('', null) : afresh(run)),
    /** Forgets this look, because a statement that was made from it failed. */
    forget(failed: Look): void {
      // Another request may have looked since.
      if (last?.found === failed) last = undefined;
    },
  };
}
