import { causeFacts, type PanelLog } from '../log/PanelLog';
import { dayOfHour, MOST_PER_STATEMENT, type UsageCount, type UsageKey, type UsageTable } from './UsageTable';

/** Counts in the memory of this process. */
export class UsageCounter {
  readonly #counts = new Map<string, { readonly key: UsageKey; requests: number }>();

  /** The number of keys. */
  get size(): number {
    return this.#counts.size;
  }

  add(key: UsageKey, requests = 1): void {
    const name = `${key.tokenId} ${key.hour} ${key.endpoint} ${key.statusClass}`;
    const count = this.#counts.get(name);
    if (count) count.requests += requests;
    else this.#counts.set(name, { key, requests });
  }

  /** Removes and returns the counts of at most `most` keys, oldest first. */
  take(most: number): readonly UsageCount[] {
    const taken: UsageCount[] = [];
    for (const [name, { key, requests }] of this.#counts) {
      if (taken.length === most) break;
      this.#counts.delete(name);
      taken.push({ ...key, requests });
    }
    return taken;
  }

  /** Returns all counts. */
  counts(): readonly UsageCount[] {
    return [...this.#counts.values()].map(({ key, requests }) => ({ ...key, requests }));
  }
}

/** How long counts wait before they are written, and the minimum time between two writes, in milliseconds. */
const INTERVAL_MS = 1000;

/** Maximum old counts that are deleted after one write. */
const MOST_REMOVED = 5000;

interface WriterParts {
  readonly counter: UsageCounter;
  readonly table: UsageTable;
  readonly log: PanelLog;
  readonly keepDays: number;
}

/**
 * Writes counts to their table, at most once per second. Its timer runs only while counts wait, and does not keep the
 * process alive. Counts that could not be written are tried again after a second. The first write of each hour, and of
 * the process, also deletes old counts, so that no restart puts that off.
 */
export class UsageWriter {
  readonly #parts: WriterParts;
  /** The end of the last task: writes and other tasks run one after another. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  #failing = false;
  #hour = Number.NEGATIVE_INFINITY;
  #settledDay = Number.NEGATIVE_INFINITY;
  #mustPrune = false;
  #pruneFailing = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Must be called when counts were added. */
  wake(): void {
    this.#timer ??= setTimeout(() => this.#tick(), INTERVAL_MS).unref();
  }

  /** Writes all waiting counts now. Rejects if that fails; they are then tried again after a second. */
  async writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.aside(async () => undefined);
    // Counts that are added meanwhile wait for the next write.
    const writes = Math.ceil(this.#parts.counter.size / MOST_PER_STATEMENT);
    for (let write = 0; write < writes; write += 1) await this.#write();
  }

  /** Runs the task while no write is under way. */
  aside<T>(task: () => Promise<T>): Promise<T> {
    const outcome = this.#last.then(task);
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  #tick(): void {
    this.#timer = undefined;
    // A write in progress schedules the next one itself.
    if (!this.#writing) this.#write().catch(() => undefined);
  }

  async #write(): Promise<void> {
    this.#writing = true;
    try {
      await this.aside(() => this.#writeSome());
    } finally {
      this.#writing = false;
      if (this.#parts.counter.size > 0) this.wake();
    }
  }

  async #writeSome(): Promise<void> {
    const { counter, table, log } = this.#parts;
    const counts = counter.take(MOST_PER_STATEMENT);
    if (counts.length === 0) return;
    this.#noteHour(counts.reduce((newest, { hour }) => Math.max(newest, hour), 0));
    try {
      await table.add(counts);
    } catch (error) {
      this.#putBack(counts);
      if (!this.#failing) log.warn('panel-api usage not written', causeFacts(error));
      this.#failing = true;
      throw error;
    }
    if (this.#failing) log.info('panel-api usage written again', {});
    this.#failing = false;
    if (this.#mustPrune) await this.#prune();
  }

  // If writes fail for months, memory holds no more counts than the table would.
  #putBack(counts: readonly UsageCount[]): void {
    const { counter, keepDays } = this.#parts;
    const oldest = this.#settledDay - keepDays;
    for (const { requests, ...key } of counts) if (dayOfHour(key.hour) >= oldest) counter.add(key, requests);
  }

  // If the clock is wrong for a moment, the hour before it or after it is right.
  #noteHour(hour: number): void {
    if (hour === this.#hour) return;
    this.#settledDay = dayOfHour(Math.min(this.#hour, hour));
    this.#hour = hour;
    this.#mustPrune = true;
  }

  async #prune(): Promise<void> {
    const { table, keepDays, log } = this.#parts;
    this.#mustPrune = false;
    try {
      // The next write deletes more.
      this.#mustPrune = (await table.removeOld(keepDays, MOST_REMOVED)) === MOST_REMOVED;
      this.#pruneFailing = false;
    } catch (error) {
      if (!this.#pruneFailing) log.warn('panel-api usage not pruned', causeFacts(error));
      this.#pruneFailing = true;
    }
  }
}
