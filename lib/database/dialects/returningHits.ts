import type { Dialect } from '../Dialect';

/**
 * The counting statement of databases with `ON CONFLICT … RETURNING`. A window that begins at no multiple of its length
 * was begun by another length: its count goes on in the window that holds it.
 */
export function returningHits(now: string, rows: Dialect['rows']): Dialect['countHit'] {
  const window = `${now} - ${now} % :window`;
  return {
    sql(table) {
      const sameWindow = `${table}.window_start BETWEEN excluded.window_start AND excluded.window_start + :window`;
      return `INSERT INTO ${table} (token_id, window_start, hits) VALUES (:token, ${window}, 1)
        ON CONFLICT (token_id) DO UPDATE SET
          hits = CASE WHEN ${sameWindow} THEN ${table}.hits + 1 ELSE 1 END,
          window_start = CASE WHEN ${sameWindow} AND ${table}.window_start % :window = 0
            THEN ${table}.window_start ELSE excluded.window_start END
        RETURNING hits, window_start + :window - ${now} AS seconds`;
    },
    read(result) {
      const [row] = rows(result);
      return { hits: Number(row?.hits), secondsLeft: Number(row?.seconds) };
    },
  };
}
