import type { Knex } from 'knex';
import { Database } from '../../lib/database/Database';
import type { CountedHits, Dialect } from '../../lib/database/Dialect';
import type { World } from './World';

interface Connection {
  /** Ends the statement that runs. */
  end: (() => void) | null;
  /** What COMMIT makes lasting. */
  changes: (() => void)[];
  __knex__disposed?: unknown;
}

/** A statement as the module passes it to the client. */
interface Sent {
  readonly sql: string;
  readonly bindings: readonly unknown[];
  readonly options: { readonly limitMs: number };
}

/** What a statement does: it returns its rows. `clock` is that of its process. */
type Effect = (clock: number, bindings: readonly unknown[], connection: Connection) => unknown;

const failure = (code: string) => Object.assign(new Error(code), { code });

/**
 * A database in memory, whose statements run and are answered in the order of a world. Processes that connect to it share
 * its rows.
 */
export class FakeServer {
  /** The window of each token. */
  readonly windows = new Map<number, { start: number; hits: number }>();
  /** Each token with each number that it was given. */
  readonly given: string[] = [];
  /** The requests that were added to the counts of use, by table. */
  readonly used = new Map<string, number>();
  /** Statements that run now, and the most at once. */
  running = 0;
  most = 0;
  /** Seconds since 1970. */
  clock = 1000;
  /** How many statements fail. */
  failures = 0;
  /** The token whose row is locked. */
  locked: number | null = null;
  readonly #world: World;
  readonly #effects = new Map<string, Effect>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the database as a process sees it whose clock is ahead by so many seconds. */
  connect(deadlineMs: number, poolSize: number, ahead = 0): Database {
    const free: Connection[] = [];
    const listenerCount = () => 0;
    const client = {
      driverName: 'better-sqlite3',
      config: {},
      listenerCount,
      query: async (over: Connection, { sql, bindings, options }: Sent) => ({
        response: await this.#statement(sql, bindings, ahead).options(options).connection(over),
      }),
      pool: { max: poolSize },
      acquireConnection: async () => {
        if (this.#world.upTo(8) === 0) await this.#world.moment('connection');
        return free.pop() ?? { end: null, changes: [] };
      },
      releaseConnection: async (connection: Connection) => {
        if (!connection.__knex__disposed) free.push(connection);
      },
    };
    const raw = (sql: string, bindings: readonly unknown[] = []) => this.#statement(sql, bindings, ahead);
    const panel = Object.assign(() => undefined, { client, context: {}, raw, ref: String, listenerCount });
    const database = Database.of(panel as unknown as Knex, deadlineMs, this.#world);
    return Object.assign(database, { dialect: this.#dialect() as Dialect });
  }

  /** A statement, in the part of knex that a session uses. */
  #statement(sql: string, bindings: readonly unknown[], ahead: number) {
    const effect = this.#effects.get(sql) ?? effectOf(sql, this.used);
    return {
      options: ({ limitMs }: { limitMs: number }) => ({
        connection: (over: Connection) => {
          const run = () => effect(this.clock + ahead, bindings, over);
          const answer = this.#send(over, sql, this.#world.now() + limitMs, run);
          return Object.assign(answer, { toSQL: () => ({ sql }) });
        },
      }),
    };
  }

  async #send(connection: Connection, sql: string, limit: number, effect: () => unknown): Promise<unknown> {
    const world = this.#world;
    world.must(!connection.end, 'A connection carries one statement at a time.');
    world.note(`sent ${sql.slice(0, 40)}`);
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
            resolve(this.#run(sql, effect));
          } catch (error) {
            reject(error);
          }
        };
        connection.end = end;
        if (/^(?:BEGIN|COMMIT|ROLLBACK)$/.test(sql)) run();
        else world.soon(`answer to ${sql.slice(0, 40)}`, run);
      });
    } finally {
      connection.end = null;
      this.running -= 1;
    }
  }

  #run(sql: string, effect: () => unknown): unknown {
    const mayFail = sql !== 'ROLLBACK' && this.failures > 0;
    const way = mayFail ? this.#world.upTo(12) : Infinity;
    if (way < 4) this.failures -= 1;
    if (way < 2) throw failure('CONFLICT');
    if (way === 2) throw failure('LOST');
    const result = effect();
    // Its answer is lost, after it was carried out.
    if (way === 3 && sql !== 'COMMIT') throw failure('LOST');
    return result;
  }

  #dialect(): Partial<Dialect> {
    const text = (what: string, effect: Effect) => {
      const sql = `${what} (${this.#effects.size})`;
      this.#effects.set(sql, effect);
      return sql;
    };
    return {
      now: 'NOW',
      // As `returningHits` of lib/database/dialects/countHits.ts.
      countHits: {
        usualSql: (_table, token, { hits }, start) =>
          text(`count ${hits} for ${token}`, () => {
            this.#lock([token]);
            const row = this.windows.get(token);
            return row?.start === start ? this.#add(token, start, row.hits, hits).hits : null;
          }),
        readUsual: (result) => result as number | null,
        addSql: (_table, added, length, atLeast) =>
          text(`count ${[...added].map(([token, { hits }]) => `${hits} for ${token}`)}`, (clock) => {
            this.#lock([...added.keys()]);
            const now = Math.max(clock, atLeast);
            const begin = now - (now % length);
            return [...added].map(([token, { hits: more }]) => {
              const row = this.windows.get(token);
              const [start, hits] =
                row && row.start >= begin ? [row.start - (row.start % length), row.hits] : [begin, 0];
              return { ...this.#add(token, start, hits, more), secondsLeft: start + length - now };
            });
          }),
        readSql: () => null,
        read: (result) => result as readonly CountedHits[],
      },
      isConflict: ({ code }) => code === 'CONFLICT' || code === 'LOCKED',
      isRowLocked: ({ code }) => code === 'LOCKED',
      isStatementFailure: () => false,
      boundLockWait: (sql) => sql,
      begin: () => ['BEGIN'],
      onConflictAdd: () => '',
      rows: (result) => result as readonly Record<string, unknown>[],
      end: async (connection) => {
        await this.#world.moment('told to end');
        (connection as Connection).end?.();
        return true;
      },
    };
  }

  #lock(tokens: readonly number[]): void {
    if (tokens.some((token) => token === this.locked)) throw failure('LOCKED');
  }

  #add(token: number, start: number, before: number, more: number) {
    const hits = before + more;
    for (let hit = before + 1; hit <= hits; hit += 1) this.given.push(`${token} ${hit}`);
    this.windows.set(token, { start, hits });
    return { token, hits, start };
  }
}

/** What a statement does that is no count of hits. */
function effectOf(sql: string, used: Map<string, number>): Effect {
  return (clock, bindings, connection) => {
    const { changes } = connection;
    const [, table, list = ''] = /^INSERT INTO (\w+) \((.*?)\)/.exec(sql) ?? [];
    const columns = list.split(', ');
    const sum = bindings
      .filter((_, index) => columns[index % columns.length] === 'requests')
      .reduce<number>((before, more) => before + Number(more), 0);
    if (table) changes.push(() => used.set(table, (used.get(table) ?? 0) + sum));
    if (sql === 'COMMIT') for (const change of changes) change();
    if (/^(?:BEGIN|COMMIT|ROLLBACK)$/.test(sql)) connection.changes = [];
    return [{ clock }];
  };
}
