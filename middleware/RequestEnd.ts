/**
 * The end of a request: answered, given up or left by the client. It makes a signal for those alone who ask for one,
 * which most requests never do.
 */
export class RequestEnd {
  #reason: unknown;
  #controller: AbortController | undefined;

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

  /** Only the first reason counts. */
  come(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
