import { Cancellation } from '../lib/async/Cancellation';
import { withTimeout } from '../lib/async/withTimeout';
import { ApiError } from '../lib/errors/ApiError';
import { grants } from '../lib/fields/Operation';
import type { Installation } from '../lib/Installation';
import { readInPlace } from '../lib/lists/readList';
import { causeFacts } from '../lib/log/PanelLog';
import { READING_SHARE } from '../lib/requests/asApiError';
import { authorizeRead, type Readable, UNSEEN } from '../lib/requests/checkRead';
import type { Endpoint, EndpointContext } from '../lib/requests/Endpoint';
import { type Family, gauge } from './exposition';
import type { Reading } from './Reading';
import { type Outcome, SharedReadings } from './sharedReadings';

/** An endpoint, and what is read of it. */
export interface ReadEndpoint {
  readonly endpoint: Endpoint;
  readonly readings: readonly Reading[];
}

/**
 * Returns the function that reads for a scrape. The scope and the account of the token are checked for each of them,
 * whatever is shared.
 *
 * It returns the metrics that the token may see, those of the readings themselves among them. A reading that fails or
 * takes too long has none. Throws ApiError `account_forbidden` if its account may see nothing.
 */
export function createScraper(mount: Installation, endpoints: readonly ReadEndpoint[], maxAgeMs: number) {
  const patienceMs = mount.options.deadlineMs * READING_SHARE;
  const shared = new SharedReadings(maxAgeMs, patienceMs);

  return async (request: EndpointContext): Promise<readonly Family[]> => {
    shared.sweep();
    const until = performance.now() + patienceMs;
    const inTime = <T>(promise: Promise<T>) => withTimeout(promise, Math.max(0, until - performance.now()));
    const { token, owners } = request;
    const end = Cancellation.after(patienceMs);
    // What was read of other accounts is not shown, however recent it is. Of two tokens with the same accounts now, one
    // may receive another account while a reading is under way, so only tokens with the same binding share it.
    const accounts =
      owners && (await mount.lists.look(owners, { tokenId: token.id, end }).catch(unlessTooMany));
    const identity = owners && [owners.key, accounts?.identity];

    /** Returns null if the token does not see the endpoint. */
    async function readEndpoint({ endpoint, readings }: ReadEndpoint): Promise<readonly Family[] | null> {
      const startedAt = performance.now();
      const failed = (): Outcome => ({ families: null, startedAt, tookMs: performance.now() - startedAt });
      let readable: Readable | undefined;
      try {
        readable = await inTime(authorizeRead(request, endpoint, mount));
      } catch (error) {
        if (error instanceof ApiError && UNSEEN.has(error.code)) return null;
      }
      const families: Family[] = [];
      let last: Outcome | undefined = readable ? undefined : failed();
      // One after another, so that a list that hangs occupies one slot. After a failure, the next would fail too.
      for (const reading of readings) {
        if (reading.beside && !grants(token.scopes, reading.beside)) continue;
        if (readable && last?.families !== null)
          last = (await inTime(share(reading, readable)).catch(() => undefined)) ?? failed();
        if (last) families.push(...(last.families ?? []), ...aboutReading(reading.name, last));
      }
      return families;
    }

    function share(reading: Reading, readable: Readable): Promise<Outcome | undefined> {
      const warn = (error: unknown) => {
        mount.log.warn('panel-api metrics not read', { list: reading.name, ...causeFacts(error) });
        throw error;
      };
      // Not in a place of the token's: what it reads beside must not decide what others are shown.
      const database = mount.readDatabase.inSlotsOf('metrics', token.id);
      return shared.ask(JSON.stringify([reading.name, identity]), {
        tokenId: token.id,
        isKept: !owners || accounts !== null,
        enter: (read) => {
          if (!('list' in readable)) return read(database.run);
          const { endpoint, list } = readable;
          return readInPlace(database, { resource: endpoint.name, source: list.source }, read).catch(warn);
        },
        read: (run) =>
          reading.read({ mount, readable, request, run, end: Cancellation.after(patienceMs) }).catch(warn),
      });
    }

    const families = (await Promise.all(endpoints.map(readEndpoint))).filter((one) => one !== null);
    if (families.length === 0) throw new ApiError('account_forbidden');
    return families.flat();
  };
}

/**
 * Returns null for an account that owns too many to tell whether they are the same later: what is read of them is shown
 * only to requests that have arrived before. Throws every other error.
 */
function unlessTooMany(error: unknown): null {
  if (error instanceof ApiError && error.code === 'resource_unavailable') return null;
  throw error;
}

function aboutReading(list: string, { families, startedAt, tookMs }: Outcome): readonly Family[] {
  const value = (name: string, help: string, number: number) =>
    gauge(name, help, [{ labels: { list }, value: number }]);
  const inSeconds = (milliseconds: number) => Math.round(milliseconds) / 1000;
  return [
    value('source_up', 'Whether the list could be read.', families ? 1 : 0),
    value('source_duration_seconds', 'How long the reading of the list took.', inSeconds(tookMs)),
    value(
      'source_age_seconds',
      'How long ago the reading of the list began.',
      inSeconds(performance.now() - startedAt),
    ),
  ];
}
