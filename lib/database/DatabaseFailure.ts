/**
 * A failed query, without the content of the driver's error: knex and the drivers include bound values, such as token
 * hashes, in `message`, `sql` and `stack`.
 */
export class DatabaseFailure extends Error {
  /** The module's own name of the query. */
  readonly query: string;
  /** The database's code, such as `ECONNREFUSED` or `ER_NO_SUCH_TABLE`. */
  readonly code: string;
  readonly errno: number | null;
  /** Whether a name in the statement does not exist, which SQLite tells by its message alone. */
  readonly namesNothing: boolean;

  constructor(query: string, code: string, errno: number | null = null, namesNothing = false) {
    super(`The query ${query} failed (${code}).`);
    this.name = 'DatabaseFailure';
    this.query = query;
    this.code = code;
    this.errno = errno;
    this.namesNothing = namesNothing;
  }

  static from(query: string, error: unknown): DatabaseFailure {
    if (error instanceof DatabaseFailure) return error;
    try {
      const { code, errno, name, message } = (error ?? {}) as DriverError;
      const number = typeof errno === 'number' ? errno : null;
      // mysql2 has no names for the errors of MariaDB alone.
      const unnamed = number === null ? null : `ERRNO_${number}`;
      const namesNothing = typeof message === 'string' && NAMES_NOTHING.test(message);
      const known = word(code) ?? unnamed ?? word(name) ?? 'unknown';
      return new DatabaseFailure(query, known, number, namesNothing);
    } catch {
      // The properties of the error throw.
      return new DatabaseFailure(query, 'unreadable');
    }
  }
}

/** The module's tables must not be used. The message is a sentence that says why, and what to do. */
export abstract class UnusableTables extends DatabaseFailure {}

// knex puts the statement before the message of the driver.
const NAMES_NOTHING = /(?:^| - )no such (?:table|column): [^']{0,256}$/;

type DriverError = Readonly<Partial<Record<'code' | 'errno' | 'name' | 'message', unknown>>>;

/** Whether an error has a code, as a refusal by the database has. knex and the drivers throw others themselves. */
export function hasCode(error: unknown): error is { readonly code: string } {
  try {
    return typeof (error as { code?: unknown } | null)?.code === 'string';
  } catch {
    // The properties of the error throw.
    return false;
  }
}

// A code is a short word. Anything longer could be a message.
function word(value: unknown): string | null {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : null;
}

/** Returns a value of a query's answer as a whole number. Throws DatabaseFailure if it is none. */
export function integerIn(query: string, value: unknown): number {
  const read = value === null || value === undefined ? Number.NaN : Number(value);
  if (!Number.isSafeInteger(read)) throw new DatabaseFailure(query, 'UNKNOWN_ANSWER');
  return read;
}
