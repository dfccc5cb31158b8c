import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import { isTokenId } from '../database/migrations/tables';
import { InvalidInput } from '../errors/InvalidInput';
import type { PanelLog } from '../log/PanelLog';
import { dayText } from '../time/time';
import { UsageCounter, UsageWriter } from './UsageBuffer';
import { MOST_KEPT_DAYS, type StatusClass, type UsageCount, type UsageKey, UsageTable } from './UsageTable';

/** How many requests a token, or several together, made on one day at one endpoint with one class of statuses. */
export interface UsageRow {
  /** The day in UTC, by the database's clock: `2026-06-12`. */
  readonly day: string;
  /** The name of the resource, `domains`; `other` for every path that is no endpoint. */
  readonly endpoint: string;
  /** First digit of the status; 0 where the client left before there was one. */
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

// The day that is not over is not among those that are kept.
const MOST_DAYS = MOST_KEPT_DAYS + 1;

/** How often each token was used: counted in memory when a request is over, and written within a second. */
export class Usage {
  readonly #counter: UsageCounter;
  readonly #writer: UsageWriter;
  readonly #table: UsageTable;

  constructor(counter: UsageCounter, writer: UsageWriter, table: UsageTable) {
    this.#counter = counter;
    this.#writer = writer;
    this.#table = table;
  }

  /** Counts one request. It neither waits nor throws. */
  count(key: UsageKey): void {
    this.#counter.add(key);
    this.#writer.wake();
  }

  /**
   * Writes what this process has counted and not written, at once; for the panel's shutdown, between the end of the
   * last request and that of the handle. Rejects when it could not be written.
   */
  async flush(): Promise<void> {
    // A server is closed a moment before the last requests that it broke off are over.
    await nextTurn();
    await nextTurn();
    await this.#writer.writeAll();
  }

  /**
   * The requests of today per token, 0 for one that made none: those of all processes as far as they are written, and
   * all of this one. Throws InvalidInput for an id that is no whole number.
   */
  async today(tokenIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const counts = await this.#read(tokenIds, 1);
    const requests = new Map(tokenIds.map((id) => [id, 0]));
    for (const count of counts)
      requests.set(count.tokenId, (requests.get(count.tokenId) ?? 0) + count.requests);
    return requests;
  }

  /**
   * The requests of a token, or of several together, by day, endpoint and class: the newest day first. They outlive
   * the token's revocation. Throws InvalidInput for an id or a number of days that cannot be.
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
    // What is being written is neither surely in the table nor in memory.
    return this.#writer.aside(async () => {
      const first = (await this.#table.today()) - days + 1;
      const written = await this.#table.since(first, [...ids]);
      const waiting = this.#counter.counts().filter(({ tokenId, day }) => ids.has(tokenId) && day >= first);
      return [...written, ...waiting];
    });
  }
}

interface UsageParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly log: PanelLog;
  readonly table: string;
  readonly keepDays: number;
}

/** The counts of one mount, which it shares with no other. */
export function createUsage({ database, migrations, log, table, keepDays }: UsageParts): Usage {
  const counter = new UsageCounter();
  const counts = new UsageTable(database, migrations, table);
  const writer = new UsageWriter({ counter, table: counts, log, keepDays });
  return new Usage(counter, writer, counts);
}
