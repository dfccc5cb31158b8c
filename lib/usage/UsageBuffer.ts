import type { ModuleTables } from '../database/migrations/Migrations';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import { dayOf, HOUR_SECONDS } from '../time/time';
import { MOST_REFUSALS } from './refusals';
import type { TokenRefusal } from './UsageRow';
import { addTo, addUsage, MOST_PER_STATEMENT, tidyUsage, type UsageCount } from './usageTable';

/** The most tokens whose refusals wait to be written; those of others are lost meanwhile. */
const MOST_REFUSED = 250;

/** How long counts wait before they are written, and the minimum time between two writes, in milliseconds. */
const INTERVAL_MS = 1000;

export interface UsageParts extends ModuleTables {
  readonly log: PanelLog;
  readonly keepDays: number;
}

/**
 * Keeps counts and refusals in the memory of this process, and writes them to their tables at most once per second. The
 * timer runs only while some wait, and does not keep the process alive. What could not be written is tried again after a
 * second. The first write of each hour, and of the process, also deletes old counts, so that no restart puts that off.
 */
export class UsageBuffer {
  readonly #parts: UsageParts;
  readonly #counts = new Map<string, UsageCount>();
  /** By the token, oldest first. */
  readonly #refusals = new Map<number, readonly TokenRefusal[]>();
  /** The end of the last task: writes and other tasks run one after another. */
  #last: Promise<unknown> = Promise.resolve();
  #cancel: (() => void) | undefined;
  #isWriting = false;
  #isFailing = false;
  #lastHour = Number.NEGATIVE_INFINITY;
  #settledDay = Number.NEGATIVE_INFINITY;
  #mustTidy = false;
  #tidyFails = false;

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  /** The counts that wait to be written. */
  get counts(): readonly UsageCount[] {
    return [...this.#counts.values()];
  }

  /** Returns the refusals of a token that wait to be written, oldest first. */
  refusalsOf(tokenId: number): readonly TokenRefusal[] {
    return this.#refusals.get(tokenId) ?? [];
  }

  add(count: UsageCount): void {
    const { tokenId, day, endpoint, statusClass } = count;
    addTo(this.#counts, `${tokenId} ${day} ${endpoint} ${statusClass}`, count);
    this.#wake();
  }

  refuse(refusal: TokenRefusal): void {
    const others = this.refusalsOf(refusal.tokenId);
    if (others.length === 0 && this.#refusals.size >= MOST_REFUSED) return;
    this.#refusals.set(refusal.tokenId, [...others, refusal].slice(-MOST_REFUSALS));
    this.#wake();
  }

  /** Runs the task while no write is under way. */
  aside<T>(task: () => Promise<T>): Promise<T> {
    const outcome = this.#last.then(task);
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  /** Writes all that waits now. Rejects if that fails; it is then tried again after a second. */
  async writeAll(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.aside(async () => undefined);
    // Counts that are added meanwhile wait for the next write.
    const writes = Math.max(1, Math.ceil(this.#counts.size / MOST_PER_STATEMENT));
    for (let done = 0; done < writes; done += 1) await this.#write();
  }

  #wake(): void {
    this.#cancel ??= this.#parts.database.processClock.after(INTERVAL_MS, () => {
      this.#cancel = undefined;
      // A write in progress schedules the next one itself.
      if (!this.#isWriting) this.#write().catch(() => undefined);
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      await this.aside(() => this.#writeSome());
    } finally {
      this.#isWriting = false;
      if (!this.#isEmpty()) this.#wake();
    }
  }

  #isEmpty(): boolean {
    return this.#counts.size + this.#refusals.size === 0;
  }

  async #writeSome(): Promise<void> {
    if (this.#isEmpty()) return;
    const { log, keepDays } = this.#parts;
    const taken = this.#takeCounts();
    const refused = this.#takeRefusals();
    if (taken.length > 0) this.#noteHour(taken.reduce((newest, { lastAt }) => Math.max(newest, lastAt), 0));
    try {
      await addUsage(this.#parts, taken, refused);
    } catch (error) {
      // If writes fail for months, memory holds no more counts than the table would.
      for (const count of taken) if (count.day >= this.#settledDay - keepDays) this.add(count);
      // Those that came meanwhile are newer.
      for (const refusal of [...refused, ...this.#takeRefusals()]) this.refuse(refusal);
      if (!this.#isFailing) log.warn('panel-api usage not written', causeFacts(error));
      this.#isFailing = true;
      throw error;
    }
    if (this.#isFailing) log.info('panel-api usage written again', {});
    this.#isFailing = false;
    if (this.#mustTidy) await this.#tidy();
  }

  /** Removes and returns the counts of one statement, oldest first. */
  #takeCounts(): readonly UsageCount[] {
    const taken = [...this.#counts].slice(0, MOST_PER_STATEMENT);
    for (const [key] of taken) this.#counts.delete(key);
    return taken.map(([, count]) => count);
  }

  #takeRefusals(): readonly TokenRefusal[] {
    const taken = [...this.#refusals.values()].flat();
    this.#refusals.clear();
    return taken;
  }

  // If the clock is wrong for a moment, the hour before it or after it is right.
  #noteHour(seconds: number): void {
    const hour = Math.floor(seconds / HOUR_SECONDS);
    if (hour === this.#lastHour) return;
    this.#settledDay = dayOf(Math.min(this.#lastHour, hour) * HOUR_SECONDS);
    this.#lastHour = hour;
    this.#mustTidy = true;
  }

  async #tidy(): Promise<void> {
    this.#mustTidy = false;
    try {
      // The next write goes on.
      this.#mustTidy = await tidyUsage(this.#parts, this.#parts.keepDays);
      this.#tidyFails = false;
    } catch (error) {
      if (!this.#tidyFails) this.#parts.log.warn('panel-api usage not pruned', causeFacts(error));
      this.#tidyFails = true;
    }
  }
}
