import type { AddedUse, CountedHits, CountHits, Dialect } from '../Dialect';

/** How databases with `ON CONFLICT … RETURNING` count. A window that is ahead of the clock goes on too. */
export function returningHits(clock: string, rows: Dialect['rows']): CountHits {
  return {
    usualSql: (table, token, use, start) =>
      `${addUsual(table, `hits + ${use.hits}`, token, setGiven(use, clock), start)} RETURNING hits`,
    readUsual(result) {
      const [row] = rows(result);
      return row ? Number(row.hits) : null;
    },
    addSql(table, added, windowSeconds, atLeast) {
      const now = atLeast > 0 ? `(CASE WHEN ${clock} > ${atLeast} THEN ${clock} ELSE ${atLeast} END)` : clock;
      const window = `${now} - ${now} % ${windowSeconds}`;
      const goesOn = `${table}.window_start >= excluded.window_start`;
      const values = [...added].map(([token, use]) => `(${token}, ${window}, ${use.hits}, ${valuesOf(use)})`);
      return `INSERT INTO ${table} (${COLUMNS}) VALUES ${values.join(', ')}
        ON CONFLICT (token_id) DO UPDATE SET
          hits = CASE WHEN ${goesOn} THEN ${table}.hits ELSE 0 END + excluded.hits,
          window_start = CASE WHEN ${goesOn} THEN ${table}.window_start - ${table}.window_start % ${windowSeconds}
            ELSE excluded.window_start END,
          ${setUse(clock, { prefix: `${table}.`, used: 'excluded.last_used_at', address: 'excluded.last_used_address' })}
        RETURNING token_id AS token, hits, window_start AS start, window_start + ${windowSeconds} - ${now} AS seconds`;
    },
    readSql: () => null,
    read: (result) => rows(result).map(countedHits),
  };
}

const COLUMNS = 'token_id, window_start, hits, last_used_at, last_used_address';

function addUsual(table: string, sum: string, token: number, set: string, start: number): string {
  return `UPDATE ${table} SET hits = ${sum}, ${set} WHERE token_id = ${token} AND window_start = ${start}`;
}

/**
 * How far a stored time may be ahead of the clock, because the nodes of a cluster or two statements differ by that much.
 * A time beyond that is from a clock that was wrong, and the next use replaces it.
 */
const AHEAD_SECONDS = 2;

interface NewUse {
  /** Stands before the names of the stored columns. */
  readonly prefix: string;
  readonly used: string;
  readonly address: string;
}

// The address is set first: MariaDB sets the columns one after another, and it depends on the stored time.
function setUse(clock: string, { prefix, used, address }: NewUse): string {
  const isLater = `${prefix}last_used_at BETWEEN ${used} + 1 AND ${clock} + ${AHEAD_SECONDS}`;
  const kept = `${isLater} AND ${address} IS NOT NULL THEN ${prefix}last_used_address`;
  return `last_used_address = CASE WHEN ${kept} ELSE ${address} END,
    last_used_at = CASE WHEN ${isLater} THEN ${prefix}last_used_at ELSE ${used} END`;
}

function setGiven(use: AddedUse, clock: string): string {
  return setUse(clock, { prefix: '', used: String(use.usedAt), address: addressSql(use) });
}

function valuesOf(use: AddedUse): string {
  return `${use.usedAt}, ${addressSql(use)}`;
}

/** The characters of an IP address with a zone. They mean the same in every mode of every database. */
const PLAIN = /^[\w.:%-]{1,64}$/;

function addressSql({ address }: AddedUse): string {
  return address !== null && PLAIN.test(address) ? `'${address}'` : 'NULL';
}

// A comment for MySQL and for a MariaDB that has no RETURNING. One statement that is a transaction of its own
// holds the rows of many tokens no longer than the server needs, whatever this process does meanwhile.
const onMariadb = (sql: string) => `/*M!100500 ${sql} */`;

/** How MariaDB and MySQL count. */
export function mysqlHits(clock: string, rows: Dialect['rows']): CountHits {
  const sums = (windowSeconds: number) =>
    `token_id AS token, hits, window_start + ${windowSeconds} - ${clock} AS seconds`;
  return {
    usualSql: (table, token, use, start) =>
      addUsual(table, `LAST_INSERT_ID(hits + ${use.hits})`, token, setGiven(use, clock), start),
    // A statement that finds no row calls no function, and has no id. A sum of 0 is an id of 0.
    readUsual(result) {
      const [{ insertId, affectedRows }] = result as [{ insertId?: number | string; affectedRows?: number }];
      return Number(insertId) || (Number(affectedRows) > 0 ? 0 : null);
    },
    addSql(table, added, windowSeconds) {
      // Spelled out: in its mode ORACLE, MariaDB knows no operator %.
      const window = `${clock} - MOD(${clock}, ${windowSeconds})`;
      // The window of the row that would be inserted: cheaper than to compute it again.
      const current = 'VALUES(window_start)';
      const sameWindow = `window_start BETWEEN ${current} AND ${current} + ${windowSeconds}`;
      const start = `IF(${sameWindow} AND MOD(window_start, ${windowSeconds}) = 0, window_start, ${current})`;
      const values = [...added].map(([token, use]) => `(${token}, ${window}, ${use.hits}, ${valuesOf(use)})`);
      // No line reads a column that a line above it sets: MariaDB sets the columns one after another, but all at once in
      // its modes SIMULTANEOUS_ASSIGNMENT and ORACLE.
      return `INSERT INTO ${table} (${COLUMNS}) VALUES ${values.join(', ')}
        ON DUPLICATE KEY UPDATE
          hits = IF(${sameWindow}, hits, 0) + VALUES(hits),
          window_start = ${start},
          ${setUse(clock, { prefix: '', used: 'VALUES(last_used_at)', address: 'VALUES(last_used_address)' })}
        ${onMariadb(`RETURNING ${sums(windowSeconds)}`)}`;
    },
    readSql: (table, added, windowSeconds) =>
      `SELECT ${sums(windowSeconds)} FROM ${table} WHERE token_id IN (${[...added.keys()].join(', ')})`,
    // Without RETURNING there is no list of rows.
    read: (result) => (Array.isArray(rows(result)) ? rows(result).map(countedHits) : []),
  };
}

function countedHits({ token, hits, seconds, start }: Readonly<Record<string, unknown>>): CountedHits {
  return { token: Number(token), hits: Number(hits), secondsLeft: Number(seconds), start: Number(start) };
}

/** The end of an INSERT that adds to the count of an existing row with the same key, in PostgreSQL and SQLite. */
export const onConflictAdd: Dialect['onConflictAdd'] = (table, key, count, latest = []) => {
  const sum = `${count} = ${table}.${count} + excluded.${count}`;
  const set = [sum, ...latest.map((name) => `${name} = excluded.${name}`)];
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set.join(', ')}`;
};
