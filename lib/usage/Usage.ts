import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkKeys, InvalidInput, isTokenId } from '../errors/InvalidInput';
import { dayOf, dayText } from '../time/time';
import { MOST_REFUSALS, refusalsOf } from './refusals';
import { busiestTokens } from './tokenSums';
import { UsageBuffer, type UsageParts } from './UsageBuffer';
import { TOTAL_DAYS, type TokenRefusal, type UsagePeriod, type UsageRow, type UsageTotal } from './UsageRow';
import {
  ALL_TOKENS,
  addTo,
  type DayCount,
  MOST_KEPT_DAYS,
  type Period,
  presentDay,
  requestsDuring,
  statusClass,
  usageDuring,
} from './usageTable';

export interface UsageSettings {
  /** Days for which the counts of a day are kept after it, 1 to 3650. Default 90. */
  readonly keepDays: number;
}

// Today and the longest time for which counts are kept.
const MOST_DAYS = MOST_KEPT_DAYS + 1;

/** A request to count. */
interface UsedRequest {
  /** The token, with the database's clock when it was read. */
  readonly token: { readonly id: number; readonly readAt: number };
  /** The endpoint's resource; null for an unknown path. */
  readonly endpoint: string | null;
  /** Null if the client disconnected before a status was sent. */
  readonly status: number | null;
}

/** Counts how often each token is used. Counts are kept in memory and written to the database within a second. */
export class Usage {
  readonly #parts: UsageParts;
  readonly #buffer: UsageBuffer;

  /** @internal */
  constructor(parts: UsageParts) {
    this.#parts = parts;
    this.#buffer = new UsageBuffer(parts);
  }

  /** Counts a request that has ended. Returns at once and does not throw. @internal */
  count(request: UsedRequest): void {
    const { token, endpoint, status } = request;
    this.#buffer.add({
      tokenId: token.id,
      day: dayOf(token.readAt),
      endpoint: endpoint ?? 'other',
      statusClass: statusClass(status),
      requests: 1,
      lastAt: token.readAt,
    });
  }

  /** Notes that a request of a token was answered with an error. Returns at once and does not throw. @internal */
  refuse({ endpoint, ...refusal }: Omit<TokenRefusal, 'endpoint'> & Pick<UsedRequest, 'endpoint'>): void {
    this.#buffer.refuse({ ...refusal, endpoint: endpoint ?? 'other' });
  }

  /**
   * Writes the counts that this process has not written yet. For the panel's shutdown: call it after the last request
   * has ended and before the handle is closed. Rejects if the counts could not be written.
   */
  async flush(): Promise<void> {
    // When a server is closed, the requests that it broke off end a moment later.
    await nextTurn();
    await nextTurn();
    await this.#buffer.writeAll();
  }

  /**
   * Returns the number of today's requests of each token: the written ones of all processes, and all of this process. 0
   * for a token without requests. Throws InvalidInput for an id that is not a whole number.
   */
  async today(tokenIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.#requests(tokenIds, 1);
  }

  /**
   * Returns the requests of one or more tokens together, by day, endpoint and class of statuses, newest day first. The
   * counts of a revoked token are kept. Throws InvalidInput for an invalid id or number of days.
   */
  async ofToken(tokenId: number | readonly number[], period: UsagePeriod = {}): Promise<readonly UsageRow[]> {
    checkKeys(period, 'A period', ['days']);
    const { days = TOTAL_DAYS } = period;
    if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
      throw new InvalidInput('days', `The days must be a whole number from 1 to ${MOST_DAYS}.`);
    return together((await this.#read([tokenId].flat(), days, usageDuring)).counts)
      .toSorted(
        (one, other) =>
          other.day - one.day ||
          one.endpoint.localeCompare(other.endpoint) ||
          one.statusClass - other.statusClass,
      )
      .map(usageRow);
  }

  /**
   * Returns the requests of all tokens together, of today and the 29 days before it, by day, endpoint and class of
   * statuses, in no order.
   */
  async ofAll(): Promise<readonly UsageRow[]> {
    const { counts } = await this.#read(null, TOTAL_DAYS, usageDuring);
    return together(counts).map((count) => usageRow({ ...count, lastAt: null }));
  }

  /**
   * Returns the requests of each of these tokens in the last 30 days, 0 for a token without any; or of the busiest ones,
   * the busiest first. Those of the busiest are what is written, and may contain an earlier day until the first request
   * of a day.
   */
  async sums(
    which: { readonly ids: readonly number[] } | { readonly most: number },
  ): Promise<ReadonlyMap<number, number>> {
    if ('ids' in which) return this.#requests(which.ids, TOTAL_DAYS);
    return new Map(await busiestTokens(this.#parts, which.most));
  }

  /** Returns the last 20 requests of a token that were answered with an error, the newest first. */
  async refusals(tokenId: number): Promise<readonly TokenRefusal[]> {
    if (!isTokenId(tokenId)) return [];
    return this.#buffer.aside(async () => {
      const written = await refusalsOf(this.#parts, { token_id: tokenId });
      const all = [...this.#buffer.refusalsOf(tokenId).toReversed(), ...written];
      return all.slice(0, MOST_REFUSALS);
    });
  }

  /**
   * Returns the last request that was answered with an error of each of the `most` tokens that have the latest ones, the
   * newest first, as far as they are written. Throws InvalidInput unless `most` is a whole number from 1 to 100.
   */
  async lastRefused(most: number): Promise<readonly TokenRefusal[]> {
    if (!Number.isInteger(most) || most < 1 || most > 100)
      throw new InvalidInput('most', 'The number of tokens must be a whole number from 1 to 100.');
    // No token has more of them.
    const all = await refusalsOf(this.#parts, {}, most * MOST_REFUSALS);
    const ids = [...new Set(all.map(({ tokenId }) => tokenId))].slice(0, most);
    return ids.flatMap((id) => all.find(({ tokenId }) => tokenId === id) ?? []);
  }

  /**
   * Returns the requests of all tokens together: of today in UTC, and of today and the 29 days before it, by the
   * database's clock. As with `today`, other processes may not have written their last second.
   */
  async totals(): Promise<{ readonly day: UsageTotal; readonly month: UsageTotal }> {
    const { today, counts } = await this.#read(null, TOTAL_DAYS, usageDuring);
    return { day: totalOf(counts.filter(({ day }) => day === today)), month: totalOf(counts) };
  }

  async #requests(tokenIds: readonly number[], days: number): Promise<ReadonlyMap<number, number>> {
    const requests = new Map(tokenIds.map((id) => [id, 0]));
    for (const count of (await this.#read(tokenIds, days, requestsDuring)).counts)
      requests.set(count.tokenId, (requests.get(count.tokenId) ?? 0) + count.requests);
    return requests;
  }

  /** Reads counts of these tokens, or of all together, with those that this process has not written yet. */
  async #read<T>(
    tokenIds: readonly number[] | null,
    days: number,
    during: (parts: UsageParts, days: Period, ids: readonly number[]) => Promise<readonly T[]>,
  ): Promise<{ readonly today: number; readonly counts: readonly (T | DayCount)[] }> {
    const ids = tokenIds && new Set(tokenIds.filter(isTokenId));
    if (ids?.size === 0) return { today: Number.NaN, counts: [] };
    // Counts that are being written may be in neither the table nor memory.
    return this.#buffer.aside(async () => {
      const today = await presentDay(this.#parts);
      const first = today - days + 1;
      const written = await during(this.#parts, { first, last: today }, [...(ids ?? [ALL_TOKENS])]);
      const isAsked = ({ day, tokenId }: DayCount) =>
        day >= first && day <= today && (ids?.has(tokenId) ?? true);
      return { today, counts: [...written, ...this.#buffer.counts.filter(isAsked)] };
    });
  }
}

/** The first class of statuses that are errors. */
const FIRST_ERROR = 4;

function totalOf(counts: readonly DayCount[]): UsageTotal {
  const sum = (some: readonly DayCount[]) => some.reduce((all, count) => all + count.requests, 0);
  const errors = counts.filter(({ statusClass }) => statusClass >= FIRST_ERROR);
  return { requests: sum(counts), errors: sum(errors) };
}

function usageRow({ day, endpoint, statusClass, requests, lastAt }: DayCount): UsageRow {
  return { day: dayText(day), endpoint, statusClass, requests, lastAt };
}

/** Adds up the counts of several tokens and of different writes. */
function together(counts: readonly DayCount[]): readonly DayCount[] {
  const sums = new Map<string, DayCount>();
  for (const count of counts) addTo(sums, `${count.day} ${count.endpoint} ${count.statusClass}`, count);
  return [...sums.values()];
}
