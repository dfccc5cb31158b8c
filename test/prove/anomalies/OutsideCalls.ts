import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Engine } from '../../fixture/databases';

/** In every text that a fault throws or answers: none of it may leave the process. */
export const SECRET = 'secret-7e02';

/** What a call asks of: the database, its pool, Redis, the panel's logger and functions, the clock, randomness. */
export type Outside = 'statement' | 'connection' | 'redis' | 'logger' | 'function' | 'clock' | 'random';

/** How a call goes wrong. `code` is what the driver gives its errors, `wrong` an answer of the right form. */
type Misbehave = (call: Facts) => unknown;

interface Facts {
  readonly code: object;
  readonly nothing: () => unknown;
  readonly wrong: () => unknown;
  /** Returns a promise that does not settle while the request is served. */
  readonly hang: () => Promise<never>;
}

const fail = (thrown: unknown) => {
  throw thrown;
};

const unreadable = () => new Proxy(new Error(SECRET), { get: () => fail(new Error(SECRET)) });

const PLAIN = { code: {}, nothing: () => undefined, wrong: () => ({ wrong: SECRET }) };

const HOUR_MS = 3_600_000;

const throws: Readonly<Record<string, Misbehave>> = {
  'throws an error': () => fail(new Error(SECRET)),
  "throws the driver's error": ({ code }) => fail(Object.assign(new Error(SECRET), code)),
  'throws null': () => fail(null),
  'throws an object that cannot be read': () => fail(unreadable()),
};

const everyWay: Readonly<Record<string, Misbehave>> = {
  ...throws,
  'never answers': ({ hang }) => hang(),
  'answers nothing': ({ nothing }) => nothing(),
  'answers something else': ({ wrong }) => wrong(),
};

/** The ways in which the calls of each kind go wrong. */
export const WAYS: Readonly<Record<Outside, Readonly<Record<string, Misbehave>>>> = {
  statement: everyWay,
  connection: everyWay,
  redis: everyWay,
  logger: everyWay,
  function: everyWay,
  // Randomness answers at once or fails.
  random: throws,
  clock: {
    'jumps an hour back': () => -HOUR_MS,
    'jumps an hour ahead': () => HOUR_MS,
    'is at its beginning': () => -Date.now(),
  },
};

/** The call that goes wrong. */
export interface Fault {
  readonly outside: Outside;
  readonly way: string;
  /** The first call that goes wrong, from 1. */
  readonly nth: number;
  /** Whether all later calls of the same kind go wrong too. */
  readonly lasting: boolean;
}

/** The calls that leave the module, of which some go wrong. */
export class OutsideCalls {
  #fault: Fault | null = null;
  #calls = 0;
  #hung: (() => void)[] = [];

  /** Begins to count. */
  arm(fault: Fault): void {
    this.#fault = fault;
    this.#calls = 0;
  }

  /** Ends the fault, and what hangs with an error. Returns whether a call went wrong. */
  disarm(): boolean {
    const met = this.#fault !== null && this.#calls >= this.#fault.nth;
    this.#fault = null;
    for (const end of this.#hung.splice(0)) end();
    return met;
  }

  /** Runs a task of which no call goes wrong or counts. */
  async spare<T>(task: () => Promise<T>): Promise<T> {
    const fault = this.#fault;
    this.#fault = null;
    try {
      return await task();
    } finally {
      this.#fault = fault;
    }
  }

  /** Makes a call, or lets it go wrong. */
  readonly call = <T>(outside: Outside, real: () => T, facts: Partial<Facts> = {}): T => {
    const fault = this.#fault;
    if (fault?.outside !== outside) return real();
    this.#calls += 1;
    if (fault.lasting ? this.#calls < fault.nth : this.#calls !== fault.nth) return real();
    const hang = () =>
      new Promise<never>((_, reject) => {
        this.#hung.push(() => reject(Object.assign(new Error(SECRET), { name: 'TimeoutError' })));
      });
    const misbehave = WAYS[outside][fault.way]!;
    // What the fault itself asks of the clock is no call.
    this.#fault = null;
    try {
      return misbehave({ ...PLAIN, hang, ...facts }) as T;
    } finally {
      this.#fault = fault;
    }
  };

  /** Makes the methods of an object, and of all that inherit from it, calls of this kind. */
  wrap(outside: Outside, object: object, names: readonly string[], facts: Partial<Facts> = {}): void {
    const methods = object as Record<string, (...args: unknown[]) => unknown>;
    for (const name of names) {
      const real = methods[name]!;
      const { call } = this;
      methods[name] = function (this: unknown, ...args: unknown[]) {
        return call(outside, () => real.apply(this, args), facts);
      };
    }
  }

  /** Makes the statements of a handle, and its requests for a connection, calls. Before the handle is mounted. */
  wrapHandle(engine: Engine, { client }: Knex): void {
    const real = client._query;
    const { code, wrong } = DRIVERS[engine];
    const { call } = this;
    client._query = async function (this: unknown, connection: unknown, statement: { response?: unknown }) {
      // The statement is carried out; only its answer is lost.
      const response = async (given: unknown) =>
        Object.assign(await real.call(this, connection, statement), { response: given });
      return call('statement', () => real.call(this, connection, statement), {
        code,
        nothing: () => response(undefined),
        wrong: () => response(wrong),
      });
    };
    const acquire = client.acquireConnection;
    client.acquireConnection = async function (this: unknown) {
      return call('connection', () => acquire.call(this), { code });
    };
  }

  /** Makes the commands of a limiter calls, which has defined its own on this client of ioredis. */
  wrapRedis(client: { multi(...args: unknown[]): object }): void {
    const facts = { code: { name: 'ReplyError', message: `ERR ${SECRET}` }, wrong: () => [SECRET, SECRET] };
    const multi = client.multi.bind(client);
    client.multi = (...args) => {
      const pipeline = multi(...args);
      this.wrap('redis', pipeline, ['exec'], facts);
      return pipeline;
    };
    this.wrap('redis', client, ['rlflxIncr'], facts);
  }

  /** Makes `Date.now()` and `new Date()` calls. Returns how to undo it. */
  wrapClock(): () => void {
    const real = globalThis.Date;
    const now = () => real.now() + this.call('clock', () => 0);
    globalThis.Date = new Proxy(real, {
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
      construct: (target, args, self) => Reflect.construct(target, args.length > 0 ? args : [now()], self),
    });
    return () => {
      globalThis.Date = real;
    };
  }
}

/** Each driver's error for a conflict, which the module repeats, and its answer with another row. */
const DRIVERS: Readonly<Record<Engine, { readonly code: object; readonly wrong: unknown }>> = {
  sqlite: { code: { code: 'SQLITE_BUSY' }, wrong: [{ wrong: 7 }] },
  mariadb: {
    code: { code: 'ER_LOCK_DEADLOCK', errno: 1213 },

    wrong: [[{ wrong: 7 }], [{ name: 'wrong' }]],
  },
  postgresql: {
    code: { code: '40P01' },

    wrong: { command: 'SELECT', rowCount: 1, rows: [{ wrong: 7 }], fields: [{ name: 'wrong' }] },
  },
};

/** Waits for a moment in which nothing more is expected to happen. */
export const settle = () => sleep(5);
