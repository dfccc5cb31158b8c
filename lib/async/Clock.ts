import { setTimeout as sleep } from 'node:timers/promises';

/** Where time or chance decides, it comes from here, so that a test can choose the order of events. */
export interface Clock {
  /** Milliseconds since a moment that stays the same, whatever happens to the time of day. */
  now(): number;
  /** Calls `then` after this time. The timer does not keep the process alive. Returns the function that cancels it. */
  after(milliseconds: number, then: () => void): () => void;
  /** Resolves after this time. The process stays alive until then. */
  pause(milliseconds: number): Promise<void>;
  /** Resolves in a later turn of the event loop. */
  turn(): Promise<void>;
  /** A number from 0 to below 1. */
  random(): number;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, then) {
    const timer = setTimeout(then, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  pause: (milliseconds) => sleep(milliseconds),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  random: Math.random,
};
