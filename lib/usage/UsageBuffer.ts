import { causeFacts, type PanelLog } from '../log/PanelLog';
import { MOST_REFUSALS, type TokenRefusal } from './refusals';
import { addTo, dayOfHour, MOST_PER_STATEMENT, type UsageCount, type UsageTable } from './UsageTable';

/** The most tokens whose refusals wait to be written; those of others are lost meanwhile. */
const MOST_REFUSED = 250;

/** Counts and refusals in the memory of this process. */
export class UsageCounter {
  readonly #counts = new Map<string, UsageCount>();
  /** By the token, oldest first. */
  readonly #refusals = new Map<number, readonly TokenRefusal[]>();

  /** The number of keys. */
  get size(): number {
    return this.#counts.size;
  }

  get isEmpty(): boolean {
    return this.#counts.size + this.#refusals.size === 0;
  }

  add(count: UsageCount): void {
    const { tokenId, hour, endpoint, statusClass } = count;
    addTo(this.#counts, `${tokenId} ${hour} ${endpoint} ${statusClass}`, count);
  }

  refuse(refusal: TokenRefusal): void {
    const others = this.refusalsOf(refusal.tokenId);
    if (others.length === 0 && this.#refusals.size >= MOST_REFUSED) return;
    this.#refusals.set(refusal.tokenId, [...others, refusal].slice(-MOST_REFUSALS));
  }

  refusalsOf(tokenId: number): readonly TokenRefusal[] {
    return this.#refusals.get(tokenId) ?? [];
  }

  /** Removes and returns all refusals. */
  takeRefusals(): readonly TokenRefusal[] {
    const taken = [...this.#refusals.values()].flat();
    this.#refusals.clear();
    return taken;
  }

  /** Removes and returns the counts of at most `most` keys, oldest first. */
  take(most: number): readonly UsageCount[] {
    const taken: UsageCount[] = [];
    for (const [name, count] of this.#counts) {
      if (taken.length === most) break;
      this.#counts.delete(name);
      taken.push(count);
    }
    return taken;
  }

  /** Returns all counts. */
  counts(): readonly UsageCount[] {
    return [...this.#counts.values()];
  }
}

/** How long counts wait before they are written, and the minimum time between two writes, in milliseconds. */
const INTERVAL_MS = 1000;

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
    const writes =
      Math.ceil(this.#parts.counter.size / MOST_PER_STATEMENT) || Number(!this.#parts.counter.isEmpty);
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
      if (!this.#parts.counter.isEmpty) this.wake();
    }
  }

  async #writeSome(): Promise<void> {
    const { counter, table, log } = this.#parts;
    if (counter.isEmpty) return;
    const counts = counter.take(MOST_PER_STATEMENT);
    const refusals = counter.takeRefusals();
    if (counts.length > 0) this.#noteHour(counts.reduce((newest, { hour }) => Math.max(newest, hour), 0));
    try {
      await table.add(counts, refusals);
    } catch (error) {
      this.#putBack(counts);
      // Those that came meanwhile are newer.
      for (const refusal of [...refusals, ...counter.takeRefusals()]) counter.refuse(refusal);
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
    for (const count of counts) if (dayOfHour(count.hour) >= oldest) counter.add(count);
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
      // The next write goes on.
      this.#mustPrune = await table.tidy(keepDays);
      this.#pruneFailing = false;
    } catch (error) {
      if (!this.#pruneFailing) log.warn('panel-api usage not pruned', causeFacts(error));
      this.#pruneFailing = true;
    }
  }
}
