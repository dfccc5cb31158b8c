import type { Writable } from 'node:stream';
import { Deadline } from '../async/withTimeout';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { ForeignTable } from '../database/migrations/tables';
import { printable } from '../errors/printable';

/** winston, log4js, pino, bunyan, or any logger with these three methods. */
export interface Logger {
  info(message: string, fields: object): unknown;
  warn(message: string, fields: object): unknown;
  error(message: string, fields: object): unknown;
}

/** pino and bunyan. They would drop fields after the message. */
type FieldsFirstLogger = Readonly<Record<keyof Logger, (fields: object, message: string) => unknown>>;

/** An error of the module's own, with facts that the log may contain. */
export abstract class ErrorWithFacts extends Error {
  abstract readonly facts: Readonly<Record<string, string>>;
}

/**
 * How much a logger that is a stream may keep in memory, in multiples of its high-water mark: 10,000 lines of winston's,
 * which keeps all lines that it cannot write until the process ends.
 */
const MOST_KEPT = 625;

/** Writes to the panel's logger. If it throws, rejects or keeps too many lines, the line is lost and nothing else fails. */
export class PanelLog {
  readonly #logger: Logger;
  readonly #takesFieldsFirst: boolean;
  readonly #saidAt = new Map<string, number>();
  #lost = 0;
  readonly #lose = () => {
    this.#lost += 1;
  };

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#takesFieldsFirst = takesFieldsFirst(logger);
    if (!this.#takesFieldsFirst && takesOnlyMessage(logger.info))
      this.warn('panel-api logger takes no fields', {});
  }

  /** The number of lines that could not be written since the mount. */
  get lost(): number {
    return this.#lost;
  }

  write(level: keyof Logger, message: string, facts: object): void {
    try {
      if (kept(this.#logger) >= MOST_KEPT) this.#lose();
      else Promise.resolve(this.#send(level, message, facts)).catch(this.#lose);
    } catch {
      this.#lose();
    }
  }

  /** Writes once that the panel uses the module in a wrong way, and returns the error that says so. */
  misuse(message: string): Error {
    this.warnOnce(message);
    return new Error(message);
  }

  /** Writes a fault that the administrator should look at. */
  warn(message: string, facts: object): void {
    this.write('warn', message, facts);
  }

  /** Writes a fault in how the panel uses the module, the first time in this many milliseconds that it is seen. */
  warnOnce(message: string, facts: object = {}, withinMs = Infinity): void {
    const [fault, now] = [JSON.stringify([message, facts]), performance.now()];
    if (now - (this.#saidAt.get(fault) ?? -Infinity) < withinMs) return;
    this.#saidAt.set(fault, now);
    this.warn(message, facts);
  }

  /** Writes an event that is no fault. */
  info(message: string, facts: object): void {
    this.write('info', message, facts);
  }

  #send(level: keyof Logger, message: string, facts: object): unknown {
    if (!this.#takesFieldsFirst) return this.#logger[level](message, facts);
    return (this.#logger as unknown as FieldsFirstLogger)[level](facts, message);
  }
}

/** The facts about the cause of a failure: names and places, never a message, which could contain a value. */
export function causeFacts(cause: unknown): Readonly<Record<string, string>> {
  try {
    return facts(cause);
  } catch {
    // The panel's function may throw an object whose properties throw.
    return { cause: 'unreadable' };
  }
}

function facts(cause: unknown): Readonly<Record<string, string>> {
  if (cause === undefined) return {};
  if (cause instanceof DatabaseFailure) return databaseFacts(cause);
  if (cause instanceof ErrorWithFacts) {
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
  return /^ +at (.*:\d+:\d+\)?)$/m.exec(frames)?.[1] ?? null;
}

type Pino = Readonly<Record<'child' | 'bindings' | 'addSerializers', unknown>>;

/** By methods that pino's loggers and their children have, or bunyan's. Winston's have `child` alone, log4js' none. */
function takesFieldsFirst(logger: Logger & Partial<Pino>): boolean {
  const { child, bindings, addSerializers } = logger;
  return isMethod(child) && (isMethod(bindings) || isMethod(addSerializers));
}

function isMethod(property: unknown): boolean {
  return typeof property === 'function';
}

const ONE_PARAMETER = /^(?:async\b)?\s*(?:function\b)?\s*[\w$]*\s*\(?\s*[\w$]+\s*\)?\s*(?:=>|\{)/;

/**
 * Whether the method certainly ignores all arguments but the first. Its `length` counts no parameter with a default and
 * no rest of parameters.
 */
function takesOnlyMessage(method: Logger['info']): boolean {
  const source = Function.prototype.toString.call(method);
  return method.length === 1 && ONE_PARAMETER.test(source) && !/\barguments\b/.test(source);
}

/** What a logger has not written yet, in multiples of its high-water mark. 0 if it is no stream. */
function kept({ writableLength = 0, writableHighWaterMark = 1 }: Logger & Partial<Writable>): number {
  return writableLength / writableHighWaterMark;
}
