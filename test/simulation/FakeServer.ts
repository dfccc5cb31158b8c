import type { Knex } from 'knex';
import { Database } from '../../lib/database/Database';
import type { AddedHits, CountHits, Dialect } from '../../lib/database/Dialect';
import type { World } from './World';

/** A statement for the server, as text: its name, and what it does. */
interface Sent {
  readonly name: string;
  readonly token?: number;
  readonly added?: readonly (readonly [token: number, hits: number])[];
  readonly start?: number;
  readonly hits?: number;
  readonly windowSeconds?: number;
  readonly atLeast?: number;
}

/** A statement that runs. */
interface Running extends Sent {
  readonly bindings: readonly unknown[];
  /** How many seconds its process's clock is ahead. */
  readonly ahead: number;
  /** Until when it may run. */
  readonly limit: number;
}

interface Connection {
  /** Ends the statement that runs. */
  end: (() => void) | null;
  /** What COMMIT makes lasting; null outside of a transaction. */
  changes: (() => void)[] | null;
}

const failure = (code: string) => Object.assign(new Error(code), { code });

/**
 * A database in memory whose statements run and are answered in the order of a world. Processes that connect to it share
 * its rows.
 */
export class FakeServer {
  /** The window of each token. */
  readonly windows = new Map<number, { start: number; hits: number }>();
  /** Each number that a token was given, once for each time, by token. */
  readonly given: string[] = [];
  /** The requests that were added to the stored counts of use, by table. */
  readonly used = new Map<string, number>();
  /** The names of the statements that were sent. */
  readonly sent: string[] = [];
  /** Statements that run now, and the most at once. */
  running = 0;
  most = 0;
  /** Seconds since 1970. */
  clock = 1000;
  /** How many statements fail. */
  failures = 0;
  /** A token whose row is locked. */
  locked: number | null = null;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the database as one process sees it, whose clock is ahead by so many seconds. */
  connect({
    deadlineMs,
    poolSize,
    ahead = 0,
  }: {
    deadlineMs: number;
    poolSize: number;
    ahead?: number;
  }): Database {
    const free: Connection[] = [];
    const client = {
      driverName: 'better-sqlite3',
      pool: { max: poolSize },
      acquireConnection: async () => free.pop() ?? { end: null, changes: null },
      releaseConnection: async (connection: Connection & { __knex__disposed?: unknown }) => {
        if (!connection.__knex__disposed) free.push(connection);
      },
    };
    const raw = (sql: string, bindings: readonly unknown[] = []) => this.#statement(sql, bindings, ahead);
    const panel = Object.assign(() => undefined, { client, context: {}, raw, ref: (name: string) => name });
    const database = new Database(panel as unknown as Knex, deadlineMs, undefined, this.#world);
    return Object.assign(database, { dialect: this.#dialect() });
  }

  #statement(sql: string, bindings: readonly unknown[], ahead: number) {
    let connection: Connection;
    let limit = 0;
    const statement = {
      options: ({ limitMs }: { limitMs: number }) => {
        limit = this.#world.now() + limitMs;
        return statement;
      },
      connection: (over: Connection) => {
        connection = over;
        return statement;
      },
      toSQL: () => ({ sql }),
      // biome-ignore lint/suspicious/noThenProperty: knex's statements are sent when they are awaited.
      then: (...ends: Parameters<Promise<unknown>['then']>) =>
        this.#send(connection, { ...parsed(sql), bindings, ahead, limit }).then(...ends),
    };
    return statement;
  }

  async #send(connection: Connection, sent: Running): Promise<unknown> {
    const world = this.#world;
    const { name, limit } = sent;
    world.must(!connection.end, 'A connection carries one statement at a time.');
    world.note(`sent ${name}`);
    this.sent.push(name);
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    try {
      return await new Promise((resolve, reject) => {
        const end = () => {
          world.must(world.now() >= limit, 'No statement is ended before its limit.');
          connection.end = null;
          reject(failure('ENDED'));
        };
        const run = () => {
          if (connection.end !== end) return;
          try {
            resolve(this.#run(connection, sent));
          } catch (error) {
            reject(error);
          }
        };
        connection.end = end;
        if (/^(?:BEGIN|COMMIT|ROLLBACK)$/.test(name)) run();
        else world.soon(`answer to ${name}`, run);
      });
    } finally {
      connection.end = null;
      this.running -= 1;
    }
  }

  #run(connection: Connection, sent: Running): unknown {
    const { name, bindings } = sent;
    if (name === 'ROLLBACK') connection.changes = null;
    if (name === 'BEGIN') connection.changes = [];
    if (name !== 'ROLLBACK' && this.#failsNow(3))
      throw failure(this.#world.oneOf(['CONFLICT', 'CONFLICT', 'LOST']));
    if (name === 'COMMIT') {
      for (const change of connection.changes ?? []) change();
      connection.changes = null;
    }
    if (name === 'clock') return [{ clock: this.clock }];
    if (name.startsWith('use ')) connection.changes?.push(() => this.#use(name, bindings));
    if (name !== 'count') return [];
    const tokens = sent.added?.map(([token]) => token) ?? [sent.token];
    if (tokens.some((token) => token === this.locked)) throw failure('LOCKED');
    const counts = this.#count(sent, this.clock + sent.ahead);
    if (this.#failsNow(4)) throw failure('LOST');
    return counts;
  }

  /** Whether a statement fails: one of so many, until all failures have been. */
  #failsNow(among: number): boolean {
    const fails = this.failures > 0 && this.#world.upTo(among) === 0;
    if (fails) this.failures -= 1;
    return fails;
  }

  #use(name: string, bindings: readonly unknown[]): void {
    const columns = Number(name.split(' ')[2]);
    // The column of the requests is behind the key.
    const requests = bindings.filter((_, index) => index % columns === Number(name.split(' ')[3]));
    for (const more of requests) this.used.set(name, (this.used.get(name) ?? 0) + Number(more));
  }

  /** As `returningHits` of lib/database/dialects/countHits.ts. */
  #count(
    { token, start = 0, hits = 0, added, windowSeconds = 1, atLeast = 0 }: Sent,
    clock: number,
  ): unknown {
    if (!added) {
      const row = this.windows.get(Number(token));
      if (!row || row.start !== start) return [];
      this.#add(Number(token), start, row.hits, hits);
      return [{ token, hits: row.hits + hits, start, secondsLeft: 0 }];
    }
    const now = Math.max(clock, atLeast);
    const begin = now - (now % windowSeconds);
    return added.map(([id, more]) => {
      const row = this.windows.get(id);
      const goesOn = row !== undefined && row.start >= begin;
      const from = goesOn ? row.start - (row.start % windowSeconds) : begin;
      const sum = this.#add(id, from, goesOn ? row.hits : 0, more);
      return { token: id, hits: sum, start: from, secondsLeft: from + windowSeconds - now };
    });
  }

  #add(token: number, start: number, before: number, more: number): number {
    for (let hit = before + 1; hit <= before + more; hit += 1) this.given.push(`${token} ${hit}`);
    this.windows.set(token, { start, hits: before + more });
    return before + more;
  }

  #dialect(): Dialect {
    const countHits: CountHits = {
      usualSql: (_table, token, hits, start) => JSON.stringify({ name: 'count', token, hits, start }),
      readUsual: (result) => (result as readonly { hits: number }[])[0]?.hits ?? null,
      addSql: (_table, added: AddedHits, windowSeconds, atLeast) =>
        JSON.stringify({ name: 'count', added: [...added], windowSeconds, atLeast }),
      readSql: () => null,
      read: (result) => result as ReturnType<CountHits['read']>,
    };
    const part: Partial<Dialect> = {
      now: 'NOW',
      countHits,
      isConflict: ({ code }) => code === 'CONFLICT' || code === 'LOCKED',
      isRowLocked: ({ code }) => code === 'LOCKED',
      isStatementFailure: () => false,
      boundLockWait: (sql) => sql,
      begin: () => ['BEGIN'],
      onConflictAdd: (_table, key) => `ON ${key.length}`,
      rows: (result) => result as readonly Record<string, unknown>[],
      end: async (connection) => {
        await this.#world.moment('told to end');
        (connection as Connection).end?.();
        return true;
      },
    };
    return part as Dialect;
  }
}

function parsed(sql: string): Sent {
  if (sql.startsWith('{')) return JSON.parse(sql);
  if (sql.startsWith('SELECT NOW')) return { name: 'clock' };
  const [, table, columns = '', key] = /^INSERT INTO (\w+) \((.*?)\).*ON (\d+)$/s.exec(sql) ?? [];
  return { name: table ? `use ${table} ${columns.split(',').length} ${key}` : sql };
}
