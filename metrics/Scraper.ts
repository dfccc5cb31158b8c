import { ApiError } from '../lib/errors/ApiError';
import { isUnseen, type ListReader, type PanelReader, READING_SHARE } from '../lib/requests/PanelReader';
import type { PanelApi } from '../middleware/PanelApi';
import { type Family, gauge } from './exposition';
import type { Reading } from './Reading';
import { type Outcome, SharedReadings } from './SharedReadings';

/** The name of an endpoint, and what is read of it. */
export interface ReadEndpoint {
  readonly name: string;
  readonly readings: readonly Reading[];
}

/** Whose requests share a reading. */
type Sharing = Awaited<ReturnType<PanelReader['sharing']>>;

/** Reads for scrapes. The scope and the account of the token are checked for each of them, whatever is shared. */
export class Scraper {
  readonly #api: PanelApi;
  readonly #endpoints: readonly ReadEndpoint[];
  readonly #shared: SharedReadings;

  constructor(api: PanelApi, endpoints: readonly ReadEndpoint[], maxAgeMs: number, deadlineMs: number) {
    this.#api = api;
    this.#endpoints = endpoints;
    this.#shared = new SharedReadings(maxAgeMs, deadlineMs * READING_SHARE);
  }

  /**
   * Returns the metrics that the token may see, those of the readings themselves among them. A reading that fails or
   * takes too long has none. Throws ApiError `account_forbidden` if its account may see nothing.
   */
  async scrape(reader: PanelReader): Promise<readonly Family[]> {
    this.#shared.sweep();
    // What was read of other accounts is not shown, however recent it is.
    const sharing = await reader.sharing();
    const all = await Promise.all(this.#endpoints.map((one) => this.#readEndpoint(one, reader, sharing)));
    const families = all.filter((one) => one !== null);
    if (families.length === 0) throw new ApiError('account_forbidden');
    return families.flat();
  }

  /** Returns null if the token does not see the endpoint. */
  async #readEndpoint({ name, readings }: ReadEndpoint, reader: PanelReader, { key, isLasting }: Sharing) {
    const startedAt = performance.now();
    const failed = (): Outcome => ({ families: null, startedAt, tookMs: performance.now() - startedAt });
    let list: ListReader | null = null;
    let last: Outcome | undefined;
    try {
      list = await reader.inTime(reader.find(name));
    } catch (error) {
      if (isUnseen(error)) return null;
      last = failed();
    }
    const share = (reading: Reading) => {
      const warn = (error: unknown) => {
        reader.warn('panel-api metrics not read', reading.name, error);
        throw error;
      };
      return this.#shared.ask(JSON.stringify([reading.name, key]), {
        tokenId: reader.token.id,
        isKept: isLasting,
        // Not in a slot of the token's: what it reads beside must not decide what others are shown.
        enter: (read) => reader.inSlot('metrics', list, read).catch(warn),
        read: (slot) => reading.read({ api: this.#api, reader, list, slot }).catch(warn),
      });
    };
    const families: Family[] = [];
    // One after another, so that a list that hangs occupies one slot. After a failure, the next would fail too.
    for (const reading of readings) {
      if (reading.beside !== undefined && !reader.endpoints.some(({ name: one }) => one === reading.beside))
        continue;
      if (last?.families !== null)
        last = (await reader.inTime(share(reading)).catch(() => undefined)) ?? failed();
      families.push(...(last.families ?? []), ...aboutReading(reading.name, last));
    }
    return families;
  }
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
