import { within } from '../time/within';
import type { Counted, Hit, Limiter } from './Limiter';

/** Gives a store a limited time to answer, and then asks the fallback that the panel chose, if any. */
export class PatientLimiter implements Limiter {
  readonly #limiter: Limiter;
  readonly #patienceMs: number;
  readonly #fallback: Limiter | null;

  constructor(limiter: Limiter, patienceMs: number, fallback: Limiter | null) {
    this.#limiter = limiter;
    this.#patienceMs = patienceMs;
    this.#fallback = fallback;
  }

  async count(token: Counted, windowSeconds: number): Promise<Hit> {
    try {
      return await this.#within(this.#limiter.count(token, windowSeconds));
    } catch (error) {
      if (this.#fallback) return this.#fallback.count(token, windowSeconds);
      throw error;
    }
  }

  async probe(): Promise<void> {
    await this.#within(this.#limiter.probe());
  }

  #within<T>(answer: Promise<T>): Promise<T> {
    return within(answer, this.#patienceMs, () => new Error('The limiter store did not answer in time.'));
  }
}
