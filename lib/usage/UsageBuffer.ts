import type { OwnTables } from '../database/migrations/Migrations';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import { MOST_REFUSALS, type TokenRefusal } from './refusals';
import { addTo, addUsage, dayOfHour, MOST_PER_STATEMENT, tidyUsage, type UsageCount } from './usageTable';

/** The most tokens whose refusals wait to be written; those of others are lost meanwhile. */
const MOST_REFUSED = 250;

/** How long counts wait before they are written, and the minimum time between two writes, in milliseconds. */
const INTERVAL_MS = 1000;

export interface UsageParts extends OwnTables {
  readonly log: PanelLog;
  readonly keepDays: number;
}

/**
 * Counts and refusals in the memory of this process, which are written to their tables at most once per second. The timer
 * runs only while some wait, and does not keep the process alive. What could not be written is tried again after a
 * second. The first write of each hour, and of the process, also deletes old counts, so that no restart puts that off.
 */
export class UsageBuffer {
  readonly #parts: UsageParts;
  readonly #counts = new Map<string, UsageCount>();
  /** By the token, oldest first. */
  readonly #refusals = new Map<number, readonly TokenRefusal[]>();
  /** The end of the last task: writes and other tasks run one after another. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  #failing = false;
  #hour = Number.NEGATIVE_INFINITY;
  #settledDay = Number.NEGATIVE_INFINITY;
  #mustPrune = false;
  #pruneFailing = false;

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  /** The counts that wait to be written. */
  get counts(): readonly UsageCount[] {
    return [...this.#counts.values()];
  }

  /** The refusals of a token that wait to be written, oldest first. */
  refusalsOf(tokenId: number): readonly TokenRefusal[] {
    return this.#refusals.get(tokenId) ?? [];
  }

  add(count: UsageCount): void {
    const { tokenId, hour, endpoint, statusClass } = count;
    addTo(this.#counts, `${tokenId} ${hour} ${endpoint} ${statusClass}`, count);
    this.#wake();
  }

  refuse(refusal: TokenRefusal): void {
    const others = this.refusalsOf(refusal.tokenId);
    if (others.length === 0 && this.#refusals.size >= MOST_REFUSED) return;
    this.#refusals.set(refusal.tokenId, [...others, refusal].slice(-MOST_REFUSALS));
    this.#wake();
  }

  /** Writes all that waits now. Rejects if that fails; it is then tried again after a second. */
  async writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.aside(async () => undefined);
    // Counts that are added meanwhile wait for the next write.
    const writes = Math.max(1, Math.ceil(this.#counts.size / MOST_PER_STATEMENT));
    for (let write = 0; write < writes; write += 1) await this.#write();
  }

  /** Runs the task while no write is under way. */
  aside<T>(task: () => Promise<T>): Promise<T> {
    const outcome = this.#last.then(task);
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  get #isEmpty(): boolean {
    return this.#counts.size + this.#refusals.size === 0;
  }

  #wake(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A write in progress schedules the next one itself.
      if (!this.#writing) this.#write().catch(() => undefined);
    }, INTERVAL_MS).unref();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    try {
      await this.aside(() => this.#writeSome());
    } finally {
      this.#writing = false;
      if (!this.#isEmpty) this.#wake();
    }
  }

  async #writeSome(): Promise<void> {
    if (this.#isEmpty) return;
    const { log } = this.#parts;
    const taken: UsageCount[] = [];
    for (const [key, count] of this.#counts) {
      if (taken.length === MOST_PER_STATEMENT) break;
      this.#counts.delete(key);
      taken.push(count);
    }
    const refusals = this.#takeRefusals();
    if (taken.length > 0) this.#noteHour(taken.reduce((newest, { hour }) => Math.max(newest, hour), 0));
    try {
      await addUsage(this.#parts, taken, refusals);
    } catch (error) {
      this.#putBack(taken);
      // Those that came meanwhile are newer.
      for (const refusal of [...refusals, ...this.#takeRefusals()]) this.refuse(refusal);
      if (!this.#failing) log.warn('panel-api usage not written', causeFacts(error));
      this.#failing = true;
      throw error;
    }
    if (this.#failing) log.info('panel-api usage written again', {});
    this.#failing = false;
    if (this.#mustPrune) await this.#prune();
  }

  #takeRefusals(): readonly TokenRefusal[] {
    const taken = [...this.#refusals.values()].flat();
    this.#refusals.clear();
    return taken;
  }

  // If writes fail for months, memory holds no more counts than the table would.
  #putBack(counts: readonly UsageCount[]): void {
    const oldest = this.#settledDay - this.#parts.keepDays;
    for (const count of counts) if (dayOfHour(count.hour) >= oldest) this.add(count);
  }

  // If the clock is wrong for a moment, the hour before it or after it is right.
  #noteHour(hour: number): void {
    if (hour === this.#hour) return;
    this.#settledDay = dayOfHour(Math.min(this.#hour, hour));
    this.#hour = hour;
    this.#mustPrune = true;
  }

  async #prune(): Promise<void> {
    const { keepDays, log } = this.#parts;
    this.#mustPrune = false;
    try {
      // The next write goes on.
      this.#mustPrune = await tidyUsage(this.#parts, keepDays);
      this.#pruneFailing = false;
    } catch (error) {
      if (!this.#pruneFailing) log.warn('panel-api usage not pruned', causeFacts(error));
      this.#pruneFailing = true;
    }
  }
}
