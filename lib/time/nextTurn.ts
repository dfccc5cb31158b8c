import { setImmediate } from 'node:timers/promises';

/** Resolves once everything else that is due had its turn. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}
