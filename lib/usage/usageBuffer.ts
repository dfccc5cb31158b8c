import type { OwnTables } from '../database/migrations/Migrations';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import { dayOf, HOUR_SECONDS } from '../time/time';
import { MOST_REFUSALS } from './refusals';
import type { TokenRefusal } from './UsageRow';
import { addTo, addUsage, MOST_PER_STATEMENT, tidyUsage, type UsageCount } from './usageTable';

/** The most tokens whose refusals wait to be written; those of others are lost meanwhile. */
const MOST_REFUSED = 250;

/** How long counts wait before they are written, and the minimum time between two writes, in milliseconds. */
const INTERVAL_MS = 1000;

export interface UsageParts extends OwnTables {
  readonly log: PanelLog;
  readonly keepDays: number;
}

/**
 * Keeps counts and refusals in the memory of this process, and writes them to their tables at most once per second. The
 * timer runs only while some wait, and does not keep the process alive. What could not be written is tried again after a
 * second. The first write of each hour, and of the process, also deletes old counts, so that no restart puts that off.
 */
export function usageBuffer(parts: UsageParts) {
  const { log, keepDays, database } = parts;
  const counts = new Map<string, UsageCount>();
  /** By the token, oldest first. */
  const refusals = new Map<number, readonly TokenRefusal[]>();
  /** The end of the last task: writes and other tasks run one after another. */
  let last: Promise<unknown> = Promise.resolve();
  let cancel: (() => void) | undefined;
  let isWriting = false;
  let isFailing = false;
  let lastHour = Number.NEGATIVE_INFINITY;
  let settledDay = Number.NEGATIVE_INFINITY;
  let mustPrune = false;
  let pruneFails = false;

  const isEmpty = () => counts.size + refusals.size === 0;
  /** The refusals of a token that wait to be written, oldest first. */
  const refusalsOf = (tokenId: number) => refusals.get(tokenId) ?? [];

  function add(count: UsageCount): void {
    const { tokenId, day, endpoint, statusClass } = count;
    addTo(counts, `${tokenId} ${day} ${endpoint} ${statusClass}`, count);
    wake();
  }

  function refuse(refusal: TokenRefusal): void {
    const others = refusalsOf(refusal.tokenId);
    if (others.length === 0 && refusals.size >= MOST_REFUSED) return;
    refusals.set(refusal.tokenId, [...others, refusal].slice(-MOST_REFUSALS));
    wake();
  }

  /** Runs the task while no write is under way. */
  function aside<T>(task: () => Promise<T>): Promise<T> {
    const outcome = last.then(task);
    last = outcome.catch(() => undefined);
    return outcome;
  }

  function wake(): void {
    cancel ??= database.processClock.after(INTERVAL_MS, () => {
      cancel = undefined;
      // A write in progress schedules the next one itself.
      if (!isWriting) write().catch(() => undefined);
    });
  }

  async function write(): Promise<void> {
    isWriting = true;
    try {
      await aside(writeSome);
    } finally {
      isWriting = false;
      if (!isEmpty()) wake();
    }
  }

  async function writeSome(): Promise<void> {
    if (isEmpty()) return;
    const taken = takeCounts();
    const refused = takeRefusals();
    if (taken.length > 0) noteHour(taken.reduce((newest, { lastAt }) => Math.max(newest, lastAt), 0));
    try {
      await addUsage(parts, taken, refused);
    } catch (error) {
      // If writes fail for months, memory holds no more counts than the table would.
      for (const count of taken) if (count.day >= settledDay - keepDays) add(count);
      // Those that came meanwhile are newer.
      for (const refusal of [...refused, ...takeRefusals()]) refuse(refusal);
      if (!isFailing) log.warn('panel-api usage not written', causeFacts(error));
      isFailing = true;
      throw error;
    }
    if (isFailing) log.info('panel-api usage written again', {});
    isFailing = false;
    if (mustPrune) await prune();
  }

  /** Removes and returns the counts of one statement, oldest first. */
  function takeCounts(): readonly UsageCount[] {
    const taken = [...counts].slice(0, MOST_PER_STATEMENT);
    for (const [key] of taken) counts.delete(key);
    return taken.map(([, count]) => count);
  }

  function takeRefusals(): readonly TokenRefusal[] {
    const taken = [...refusals.values()].flat();
    refusals.clear();
    return taken;
  }

  // If the clock is wrong for a moment, the hour before it or after it is right.
  function noteHour(seconds: number): void {
    const hour = Math.floor(seconds / HOUR_SECONDS);
    if (hour === lastHour) return;
    settledDay = dayOf(Math.min(lastHour, hour) * HOUR_SECONDS);
    lastHour = hour;
    mustPrune = true;
  }

  async function prune(): Promise<void> {
    mustPrune = false;
    try {
      // The next write goes on.
      mustPrune = await tidyUsage(parts, keepDays);
      pruneFails = false;
    } catch (error) {
      if (!pruneFails) log.warn('panel-api usage not pruned', causeFacts(error));
      pruneFails = true;
    }
  }

  return {
    add,
    refuse,
    refusalsOf,
    aside,
    /** Returns the counts that wait to be written. */
    counts: (): readonly UsageCount[] => [...counts.values()],
    /** Writes all that waits now. Rejects if that fails; it is then tried again after a second. */
    async writeAll(): Promise<void> {
      cancel?.();
      cancel = undefined;
      await aside(async () => undefined);
      // Counts that are added meanwhile wait for the next write.
      const writes = Math.max(1, Math.ceil(counts.size / MOST_PER_STATEMENT));
      for (let done = 0; done < writes; done += 1) await write();
    },
  };
}
