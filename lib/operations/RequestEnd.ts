import { Deadline } from '../errors/Deadline';

/**
 * The end of a request: answered, given up or left by the client. It makes a signal for those alone who ask for one,
 * which most requests never do.
 */
export class RequestEnd {
  #reason: unknown;
  #controller: AbortController | undefined;
  #listeners: (() => void)[] = [];

  /** An end that comes by itself after so many milliseconds, and keeps no process alive. */
  static after(milliseconds: number): RequestEnd {
    const end = new RequestEnd();
    setTimeout(() => end.come(new Deadline()), milliseconds).unref();
    return end;
  }

  /** Why the request is over; undefined while it is not. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Aborted with the reason when the request is over. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Throws the reason when the request is over. */
  throwIfOver(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Calls the listener, which must not throw, when the request is over: at once where it is already. */
  whenOver(listener: () => void): void {
    if (this.#reason === undefined) this.#listeners.push(listener);
    else listener();
  }

  /** Only the first reason counts. */
  come(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
