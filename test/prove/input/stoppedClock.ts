/** The time of all answers about lists: `days_left` depends on it, and a question that failed must fail again. */
export const NOW = Date.parse('2026-06-12T00:00:00.500Z');

/** Stops the date, and nothing else. `jest.useRealTimers` lets it go on. */
export function stopClock(): void {
  jest.useFakeTimers({
    now: NOW,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
}
