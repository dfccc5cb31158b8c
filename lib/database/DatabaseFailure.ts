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

  constructor(query: string, code: string, errno: number | null = null) {
    super(`The query ${query} failed (${code}).`);
    this.name = 'DatabaseFailure';
    this.query = query;
    this.code = code;
    this.errno = errno;
  }

  static from(query: string, error: unknown): DatabaseFailure {
    if (error instanceof DatabaseFailure) return error;
    try {
      const { code, errno, name } = (error ?? {}) as { code?: unknown; errno?: unknown; name?: unknown };
      const number = typeof errno === 'number' ? errno : null;
      // mysql2 has no names for the errors of MariaDB alone.
      const unnamed = number === null ? null : `ERRNO_${number}`;
      return new DatabaseFailure(query, word(code) ?? unnamed ?? word(name) ?? 'unknown', number);
    } catch {
      // The properties of the error throw.
      return new DatabaseFailure(query, 'unreadable');
    }
  }
}

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
