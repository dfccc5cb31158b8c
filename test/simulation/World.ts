import type { Clock } from '../../lib/async/Clock';

/** Something that may happen next. */
interface Task {
  readonly name: string;
  readonly run: () => void;
}

/** An order that takes longer has no end. In its second half, time goes on only if nothing else can happen. */
const MOST_STEPS = 1000;

interface Timer extends Task {
  readonly due: number;
}

/**
 * A clock whose time, turns and timers, and the events of a test, happen in an order that follows from a seed. As in
 * Node, turns come in the order in which they were asked for, timers in that of their times, and none early.
 */
export class World implements Clock {
  /** What happened, for the report of a failure. */
  readonly events: string[] = [];
  readonly #tasks: Task[] = [];
  readonly #turns: Task[] = [];
  /** By time. */
  readonly #timers: Timer[] = [];
  /** What happens only when nothing else can. */
  readonly #last: Task[] = [];
  #state: number;
  #now: number;
  /** How probable it is that time goes on while other things may happen. */
  readonly #haste: number;
  /** The promise that was broken first, and what happened before. */
  breach: string | null = null;
  /** How many things have happened. */
  steps = 0;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995;
    this.#now = this.upTo(1000) + 1;
    this.#haste = this.oneOf([0.05, 0.3, 1, 3]);
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { name: 'timer', run, due: this.#now + Math.max(1, milliseconds) };
    const later = this.#timers.findIndex(({ due }) => due > timer.due);
    this.#timers.splice(later < 0 ? this.#timers.length : later, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  turn(): Promise<void> {
    return new Promise((run) => this.#turns.push({ name: 'turn', run }));
  }

  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below this one. */
  upTo(below: number): number {
    return Math.floor(this.random() * below);
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.upTo(choices.length)] as T;
  }

  /** How many turns were asked for and have not come. */
  get turnsToCome(): number {
    return this.#turns.length;
  }

  /** Runs the task at some moment. */
  soon(name: string, run: () => void): void {
    this.#tasks.push({ name, run });
  }

  /** Resolves at some moment. */
  moment(name: string): Promise<void> {
    return new Promise((resolve) => this.soon(name, resolve));
  }

  /** Resolves when nothing else can happen. */
  atLast(name: string): Promise<void> {
    return new Promise((run) => this.#last.push({ name, run }));
  }

  /**
   * Calls `arrive` so many times at some moments. Its `goOn` may let the next arrive at once, as a caller does that asks
   * again when it is answered.
   */
  arrivals(count: number, arrive: (index: number, goOn: () => void) => void): void {
    let next = 0;
    const come = () => {
      if (next === count) return;
      next += 1;
      arrive(next - 1, () => this.upTo(3) === 0 && come());
    };
    for (let index = 0; index < count; index += 1) this.soon('arrival', come);
  }

  /** Notes what happened. */
  note(event: string): void {
    this.events.push(`${Math.round(this.#now * 10) / 10}: ${event}`);
  }

  /** Notes a broken promise, unless it holds. */
  must(holds: boolean, promise: string): void {
    if (!holds) this.breach ??= `${promise}\n  ${this.events.join('\n  ')}`;
  }

  /** Lets things happen until nothing can, or a promise is broken. */
  async goOn(): Promise<void> {
    for (let task = this.#choose(); task && !this.breach; task = this.#choose()) {
      this.steps += 1;
      this.must(this.steps < MOST_STEPS, 'All that was asked for ends.');
      this.note(task.name);
      task.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #choose(): Task | undefined {
    const { length } = this.#tasks;
    const turns = this.#turns.length > 0 ? 1 : 0;
    const haste = this.#timers.length > 0 && this.steps < MOST_STEPS / 2 ? this.#haste : 0;
    const choice = this.random() * (length + turns + haste);
    if (choice < length) return this.#tasks.splice(Math.floor(choice), 1)[0];
    if (choice < length + turns) return this.#turns.shift();
    const timer = this.#timers.shift();
    if (!timer) return this.#last.shift();
    this.#now = Math.max(this.#now, timer.due + this.oneOf([0, 0, 0, 0.5, 1]));
    return timer;
  }
}
