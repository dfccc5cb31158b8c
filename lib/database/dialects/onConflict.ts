import type { CountHits, Dialect } from '../Dialect';

/** The end of the INSERT as PostgreSQL and SQLite have it. */
export const onConflictAdd: Dialect['onConflictAdd'] = (table, key, count) =>
  `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${count} = ${table}.${count} + excluded.${count}`;

/**
 * How databases with `ON CONFLICT … RETURNING` count. A window that begins at no multiple of its length was begun by
 * another length: its count goes on in the window that holds it. A window that is ahead of the clock goes on too.
 */
export function returningHits(clock: string, rows: Dialect['rows']): CountHits {
  return {
    addSql(table, added, windowSeconds, aheadSeconds) {
      const now = aheadSeconds === 0 ? clock : `(${clock} + ${aheadSeconds})`;
      const window = `${now} - ${now} % ${windowSeconds}`;
      const goesOn = `${table}.window_start >= excluded.window_start`;
      const values = [...added].map(([token, hits]) => `(${token}, ${window}, ${hits})`);
      return `INSERT INTO ${table} (token_id, window_start, hits) VALUES ${values.join(', ')}
        ON CONFLICT (token_id) DO UPDATE SET
          hits = CASE WHEN ${goesOn} THEN ${table}.hits ELSE 0 END + excluded.hits,
          window_start = CASE WHEN ${goesOn} THEN ${table}.window_start - ${table}.window_start % ${windowSeconds}
            ELSE excluded.window_start END
        RETURNING token_id AS token, hits, window_start + ${windowSeconds} - ${now} AS seconds`;
    },
    readSql: () => null,
    read: (result) => rows(result).map(countedHits),
  };
}

/** A row of a token, its hits and the seconds that are left of its window. */
export function countedHits({ token, hits, seconds }: Readonly<Record<string, unknown>>) {
  return { token: Number(token), hits: Number(hits), secondsLeft: Number(seconds) };
}
