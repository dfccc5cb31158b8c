import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until it is so, for half a minute at most. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = Date.now();
  while (!(await isSo())) {
    if (Date.now() - startedAt > 30_000) throw new Error('What was waited for did not come.');
    await sleep(20);
  }
}
