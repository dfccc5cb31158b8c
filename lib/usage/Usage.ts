import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OwnTable } from '../database/migrations/Migrations';
import { isTokenId } from '../database/tokenId';
import { InvalidInput } from '../errors/InvalidInput';
import type { PanelLog } from '../log/PanelLog';
import { dayOf, dayText } from '../time/time';
import { UsageCounter, UsageWriter } from './UsageBuffer';
import { MOST_KEPT_DAYS, type StatusClass, statusClass, type UsageCount, UsageTable } from './UsageTable';

/** The requests of one or several tokens on one day at one endpoint with one class of statuses. */
export interface UsageRow {
  /** The day in UTC, by the database's clock: `2026-06-12`. */
  readonly day: string;
  /** The name of the resource, `domains`; `other` for every path that is no endpoint. */
  readonly endpoint: string;
  /** First digit of the status; 0 if the client left before there was one. */
  readonly statusClass: StatusClass;
  readonly requests: number;
}

export interface UsageSettings {
  /** For how many days the counts of a day are kept after it, 1 to 3650. Default 90. */
  readonly keepDays: number;
}

export interface UsagePeriod {
  /** How many days, today included; 30 by default. */
  readonly days?: number;
}

// Today, and before it the days that are kept.
const MOST_DAYS = MOST_KEPT_DAYS + 1;

/** A request as it is counted. */
interface UsedRequest {
  /** The token, with the time by the database's clock at which it was read. */
  readonly token: { readonly id: number; readonly readAt: number };
  /** The name of the resource; null for a path that is no endpoint. */
  readonly endpoint: string | null;
  /** Null if the client left before there was one. */
  readonly status: number | null;
}

interface UsageParts extends OwnTable {
  readonly log: PanelLog;
  readonly keepDays: number;
}

/** Counts how often each token is used: in memory when a request is over, and in the database within a second. */
export class Usage {
  readonly #counter: UsageCounter;
  readonly #writer: UsageWriter;
  readonly #table: UsageTable;

  constructor({ log, keepDays, ...own }: UsageParts) {
    this.#counter = new UsageCounter();
    this.#table = new UsageTable(own);
    this.#writer = new UsageWriter({ counter: this.#counter, table: this.#table, log, keepDays });
  }

  /** Counts a request that is over. It neither waits nor throws. */
  count(request: UsedRequest): void {
    const { token, endpoint, status } = request;
    this.#counter.add({
      tokenId: token.id,
      day: dayOf(token.readAt),
      endpoint: endpoint ?? 'other',
      statusClass: statusClass(status),
    });
    this.#writer.wake();
  }

  /**
   * Writes at once what this process has counted and not yet written; for the panel's shutdown, between the end of the
   * last request and that of the handle. Rejects if it could not be written.
   */
  async flush(): Promise<void> {
    // When a server is closed, the requests that it broke off end a moment later.
    await nextTurn();
    await nextTurn();
    await this.#writer.writeAll();
  }

  /**
   * Returns the requests of today per token, 0 for one that made none: those of all processes that are written, and all
   * of this process. Throws InvalidInput for an id that is no whole number.
   */
  async today(tokenIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const counts = await this.#read(tokenIds, 1);
    const requests = new Map(tokenIds.map((id) => [id, 0]));
    for (const count of counts)
      requests.set(count.tokenId, (requests.get(count.tokenId) ?? 0) + count.requests);
    return requests;
  }

  /**
   * Returns the requests of a token, or of several together, by day, endpoint and class: the newest day first. They are
   * kept when the token is revoked. Throws InvalidInput for an invalid id or number of days.
   */
  async ofToken(
    tokenId: number | readonly number[],
    { days = 30 }: UsagePeriod = {},
  ): Promise<readonly UsageRow[]> {
    if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
      throw new InvalidInput('days', `The days must be a whole number from 1 to ${MOST_DAYS}.`);
    const together = new UsageCounter();
    for (const { requests, ...key } of await this.#read([tokenId].flat(), days))
      together.add({ ...key, tokenId: 0 }, requests);
    return together
      .counts()
      .toSorted(
        (one, other) =>
          other.day - one.day ||
          one.endpoint.localeCompare(other.endpoint) ||
          one.statusClass - other.statusClass,
      )
      .map(({ day, endpoint, statusClass, requests }) => ({
        day: dayText(day),
        endpoint,
        statusClass,
        requests,
      }));
  }

  async #read(tokenIds: readonly number[], days: number): Promise<readonly UsageCount[]> {
    const ids = new Set(tokenIds.filter(isTokenId));
    if (ids.size === 0) return [];
    // Counts that are being written may be neither in the table nor in memory.
    return this.#writer.aside(async () => {
      const first = (await this.#table.today()) - days + 1;
      const written = await this.#table.since(first, [...ids]);
      const waiting = this.#counter.counts().filter(({ tokenId, day }) => ids.has(tokenId) && day >= first);
      return [...written, ...waiting];
    });
  }
}
