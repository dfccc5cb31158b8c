import type { Logger } from '../options/MountOptions';
import { causeFacts } from './causeFacts';

/** What a request was, for its line in the log. */
export interface RequestLine {
  readonly level: 'info' | 'error';
  readonly facts: object;
}

/** The panel's logger as the module uses it: one that fails, in whatever way, must not take the panel with it. */
export class PanelLog {
  readonly #logger: Logger;
  #lost = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Lines that could not be written since the mount. */
  get lost(): number {
    return this.#lost;
  }

  /** Writes the line of a request. */
  request(describe: () => RequestLine): void {
    this.#write(() => {
      const { level, facts } = describe();
      return this.#logger[level]('panel-api request', facts);
    });
  }

  /** Writes that something wants the administrator's attention. */
  warn(message: string, facts: object): void {
    this.#write(() => this.#logger.warn(message, facts));
  }

  /** Writes what an administrator may want to know. */
  info(message: string, facts: object): void {
    this.#write(() => this.#logger.info(message, facts));
  }

  /** Writes that a check of health or release went wrong in itself, and where. */
  checkFailed(check: string, error: unknown): void {
    this.warn('panel-api check failed', { check, ...causeFacts(error) });
  }

  #write(write: () => unknown): void {
    try {
      Promise.resolve(write()).catch(() => this.#lose());
    } catch {
      this.#lose();
    }
  }

  #lose(): void {
    this.#lost += 1;
  }
}
