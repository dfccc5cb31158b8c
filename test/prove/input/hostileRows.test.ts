import { freshDatabase } from '../../fixture/databases';
import { startPanel, type TestPanel } from '../../fixture/panel';
import type { RowsFunction } from '../../fixture/streams/functionPanel';

/** Is in every hostile value that can hold it: in no line of the log, and in no answer but as a text of its own. */
const MARK = 'zq7-mark-4x';

/** One of each kind. */
const FIELDS = ['id', 'username', 'role', 'owner_id', 'disk_used_bytes'].concat([
  'nameservers',
  'website_count',
  'two_factor_enabled',
  'last_login_at',
]);
const GOOD = { id: 1, username: 'anna', role: 'admin' };

const fail = () => {
  throw new Error(MARK);
};

/** Values in a row that a function of the panel returns. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  'a text of 100 KB': () => 'x'.repeat(100_000),
  'half of a surrogate pair': () => '\udfff\ud800',
  'bytes that are no UTF-8': () => Buffer.from([0xc3, 0x28, 0xff, 0xfe]),
  'shared memory': () => new SharedArrayBuffer(8),
  'other numbers': () => new Float64Array([Number.NaN, Infinity]),
  NaN: () => Number.NaN,
  Infinity: () => -Infinity,
  'a negative zero': () => -0,
  'the largest number': () => Number.MAX_VALUE,
  'a fraction': () => 0.1 + 0.2,
  'a bigint of a thousand digits': () => 10n ** 999n,
  'a negative bigint': () => -(2n ** 63n) - 1n,
  'a text of a thousand digits': () => '9'.repeat(1000),
  'no date': () => new Date(Number.NaN),
  'a date after the year 9999': () => new Date(8.64e15),
  'a date before the year 1': () => new Date(-8.64e15),
  'a date that throws': () => Object.assign(new Date(0), { getTime: fail, toISOString: fail }),
  'the year 9999': () => '9999-12-31T23:59:59Z',
  'a zero date': () => '0000-00-00 00:00:00',
  'a symbol': () => Symbol(MARK),
  'a function': () => fail,
  'an object that throws as text': () => ({ toString: fail, valueOf: fail, toJSON: fail }),
  'an object that throws as a number': () => ({ [Symbol.toPrimitive]: fail }),
  'a proxy that throws': () => new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail, has: fail }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'a list with itself': () => {
    const list: unknown[] = [];
    return list.concat([list], [[[MARK]]]);
  },
  'a list of everything': () => [
    fail,
    Symbol(MARK),
    null,
    undefined,
    1n,
    { [MARK]: 1 },
    new Date(Number.NaN),
  ],
  'a list with a hole and a million places': () => Object.assign([], { length: 1_000_000 }),
  'a list that throws': () => Object.defineProperty(['a'], 0, { get: fail }),
  'a promise that rejects': () => {
    const rejected = Promise.reject(new Error(MARK));
    // The panel has handled it.
    rejected.catch(() => undefined);
    return rejected;
  },
  'a prototype': () => Object.prototype,
  'a text of a prototype': () => '{"__proto__":{"polluted":1}}',
  'a class': () => class Panel {},
};

/** Rows with a hostile shape. The last ones are no rows, or have no id. */
const ROWS: Readonly<Record<string, readonly [row: () => unknown, status: number]>> = {
  'without a prototype': [() => Object.assign(Object.create(null), GOOD), 200],
  'with its fields in the prototype': [() => Object.create(GOOD), 200],
  'with a key of the prototype': [
    () => JSON.parse(`{"__proto__":{"polluted":1},"id":1,"username":"a"}`),
    200,
  ],
  'with another prototype': [() => Object.setPrototypeOf({ ...GOOD }, { role: 'old' }), 200],
  'with a constructor': [() => ({ ...GOOD, constructor: fail, hasOwnProperty: fail }), 200],
  'that is frozen': [() => Object.freeze({ ...GOOD }), 200],
  'with a getter': [
    () => ({
      ...GOOD,
      get role() {
        return 'late';
      },
    }),
    200,
  ],
  'with a getter that throws': [
    () => ({
      ...GOOD,
      get role() {
        return fail();
      },
    }),
    500,
  ],
  'with an id that throws': [
    () => ({
      ...GOOD,
      get id() {
        return fail();
      },
    }),
    500,
  ],
  'that is a proxy that throws': [() => new Proxy({}, { get: fail }), 500],
  'that is a list': [() => [1, 2], 500],
  'that is a text': [() => MARK, 500],
  'that is a symbol': [() => Symbol(MARK), 500],
  'that is nothing': [() => undefined, 500],
};

describe('A function of the panel that returns a row', () => {
  let panel: TestPanel;
  let token: string;
  let row: unknown;
  let asked = 0;
  const before = Reflect.ownKeys(Object.prototype);

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    const rows: RowsFunction = () => [row] as never;
    panel = await startPanel({
      db: knex,
      rateLimit: { requests: 100_000 },
      sources: { accounts: { rows, fields: FIELDS, ids: 'integer' } as never },
    });
    token = await panel.token();
  });

  /** Returns the status and the item. The answer is checked against the OpenAPI document. */
  async function read(given: unknown, query = '') {
    row = given;
    asked += 1;
    const { status, body, text } = await panel.get(`/api/v1/accounts.php${query}`, token);
    if (status !== 200) expect([status, body.error]).toEqual([500, { code: 'internal_error' }]);
    const logged = await panel.requestLines(asked);
    expect(logged).toHaveLength(asked);
    expect(JSON.stringify(logged.at(-1))).not.toContain(MARK);
    return { status, item: status === 200 ? body.data.items[0] : null, text };
  }

  afterEach(async () => {
    expect((await read(GOOD)).item).toMatchObject(GOOD);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    expect({}).not.toHaveProperty('polluted');
  });

  test.each(Object.keys(VALUES))('with %s in any field gets all fields or 500', async (name) => {
    for (const field of FIELDS) {
      const { status, item, text } = await read({ ...GOOD, [field]: VALUES[name]!() });
      // A required field must be readable, and a value that throws has nothing to show.
      const mayFail = ['id', 'username'].includes(field) || /throws|revoked/.test(name);
      if (!mayFail) expect({ field, status }).toEqual({ field, status: 200 });
      if (item) expect(Object.keys(item)).toEqual(FIELDS);
      expect(text).not.toContain(MARK);
    }
  });

  test.each(Object.keys(ROWS))('%s gets an item with its id or 500', async (name) => {
    const [given, status] = ROWS[name]!;
    const answer = await read(given());
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(MARK);
    if (status === 200) expect(answer.item.id).toBe(1);
  });

  test.each(['?search=a', '?role=active', '?order=desc', '?count=true&sum=disk_used_bytes'])(
    'with hostile values answers %s',
    async (query) => {
      for (const name of Object.keys(VALUES)) {
        const value = VALUES[name]!();
        const { text } = await read({ ...GOOD, username: value, role: value, disk_used_bytes: value }, query);
        expect(text).not.toContain(MARK);
      }
    },
  );
});
