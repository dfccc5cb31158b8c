import { Deadline } from './withTimeout';

/** The client no longer waits for the answer. */
export class RequestOver extends Error {
  override readonly name = 'RequestOver';
}

/** One instance for all requests: a stack would not help, and costs more than the rest of the error. */
export const REQUEST_OVER = new RequestOver('No client waits for the answer any more.');

/**
 * Tells work when it is no longer needed: the request was answered or given up, or its client has disconnected. It
 * creates an AbortSignal only if one is requested, which is rare.
 */
export class Cancellation {
  #reason: unknown;
  #controller: AbortController | undefined;
  #listeners: (() => void)[] = [];

  /** Returns a cancellation that ends after this many milliseconds. Its timer does not keep the process alive. */
  static after(milliseconds: number): Cancellation {
    const cancellation = new Cancellation();
    setTimeout(() => cancellation.end(new Deadline()), milliseconds).unref();
    return cancellation;
  }

  /** Why the work is no longer needed; undefined while it is. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Aborted with the reason when the work is no longer needed. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Throws the reason if the work is no longer needed. */
  throwIfOver(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /**
   * Calls the listener when the work is no longer needed, at once if that is already so. The listener must not throw.
   */
  whenOver(listener: () => void): void {
    if (this.#reason === undefined) this.#listeners.push(listener);
    else listener();
  }

  /** Ends the work. Only the first reason is kept. */
  end(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
