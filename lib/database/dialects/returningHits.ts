import type { CountHits } from '../CountHits';
import type { Dialect } from '../Dialect';

/**
 * How databases with `ON CONFLICT … RETURNING` count. A window that begins at no multiple of its length was begun by
 * another length: its count goes on in the window that holds it.
 */
export function returningHits(now: string, rows: Dialect['rows']): CountHits {
  return {
    addSql(table, added, windowSeconds) {
      const window = `${now} - ${now} % ${windowSeconds}`;
      const sameWindow = `${table}.window_start BETWEEN excluded.window_start AND excluded.window_start + ${windowSeconds}`;
      const values = [...added].map(([token, hits]) => `(${token}, ${window}, ${hits})`);
      return `INSERT INTO ${table} (token_id, window_start, hits) VALUES ${values.join(', ')}
        ON CONFLICT (token_id) DO UPDATE SET
          hits = CASE WHEN ${sameWindow} THEN ${table}.hits ELSE 0 END + excluded.hits,
          window_start = CASE WHEN ${sameWindow} AND ${table}.window_start % ${windowSeconds} = 0
            THEN ${table}.window_start ELSE excluded.window_start END
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
