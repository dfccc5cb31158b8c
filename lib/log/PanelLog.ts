import { Deadline } from '../async/Cancellation';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { ForeignTable } from '../database/migrations/tables';
import { printable } from '../errors/printable';

/** winston, or anything with these three. */
export interface Logger {
  info(message: string, fields: object): unknown;
  warn(message: string, fields: object): unknown;
  error(message: string, fields: object): unknown;
}

/** An error of the module's own that says by itself what the log may tell of it. */
export abstract class TellingError extends Error {
  abstract readonly facts: Readonly<Record<string, string>>;
}

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

/** What the log may say of the cause of a failure: names and places, and never a message that could hold a value. */
export function causeFacts(cause: unknown): Readonly<Record<string, string>> {
  try {
    return facts(cause);
  } catch {
    // A panel's function may throw what cannot even be looked at.
    return { cause: 'unreadable' };
  }
}

function facts(cause: unknown): Readonly<Record<string, string>> {
  if (cause === undefined) return {};
  if (cause instanceof DatabaseFailure) return databaseFacts(cause);
  if (cause instanceof TellingError) {
    const thrown = 'cause' in cause ? facts(cause.cause) : {};
    return { cause: cause.name, ...thrown, ...cause.facts };
  }
  if (cause instanceof Deadline) return { cause: cause.name };
  if (!(cause instanceof Error)) return { cause: typeof cause };
  const place = firstFrame(cause);
  return { cause: printable(cause.name, 64), ...(place === null ? {} : { cause_at: printable(place) }) };
}

function databaseFacts(failure: DatabaseFailure): Readonly<Record<string, string>> {
  const { code, errno, query } = failure;
  return {
    cause: code,
    ...(errno === null ? {} : { cause_errno: String(errno) }),
    cause_query: query,
    ...(failure instanceof ForeignTable ? { cause_table: failure.table } : {}),
  };
}

function firstFrame({ stack, message }: Error): string | null {
  if (typeof stack !== 'string') return null;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return /^\s+at (.*:\d+:\d+\)?)$/m.exec(frames)?.[1] ?? null;
}
