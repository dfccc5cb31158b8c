import { Database } from '../../../lib/database/Database';
import { Migrations } from '../../../lib/database/migrations/Migrations';
import { tableNames } from '../../../lib/database/migrations/tables';
import { DatabaseLimiter } from '../../../lib/limiter/DatabaseLimiter';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { type Engine, freshDatabase, isMysql } from '../../fixture/databases';

async function limiterOn(engine: Engine) {
  const { knex } = await freshDatabase(engine);
  const database = Database.of(knex, 5000);
  const tables = tableNames('panel_api_');
  const migrations = new Migrations(database, tables, true);
  await migrations.ready();
  return { knex, database, limiter: new DatabaseLimiter(migrations.moduleTables) };
}

/** From now on, the server answers like MySQL, which reads the end of the statement as a comment. */
function withoutReturning({ dialect: { countHits } }: Database) {
  const { addSql } = countHits;
  return jest
    .spyOn(countHits, 'addSql')
    .mockImplementation((...asked) => addSql(...asked).replace(/\/\*M!.*\*\/$/s, ''));
}

// The statement contains these values without bindings.
test.each([
  ['a token', '1) --' as unknown as number, 60],
  ['a window', 1, 0.5],
])('%s that is no integer is never sent to a database', async (_what, id, windowSeconds) => {
  const { knex, limiter } = await limiterOn('sqlite');
  const sent: string[] = [];
  knex.on('query', ({ sql }) => sent.push(sql));
  await expect(limiter.count({ id, readAt: 0, address: null }, windowSeconds)).rejects.toThrow(
    new TypeError('Tokens, hits and windows are integers.'),
  );
  expect(sent).toEqual([]);
});

// MariaDB counts several tokens in one statement or in two, SQLite always in one.
describe.each(['mariadb', 'sqlite'] as const)('Requests that are counted together (%s)', (engine) => {
  const now = () => Math.floor(Date.now() / 1000);

  test('get each a number of their own in the window of their token', async () => {
    const { limiter } = await limiterOn(engine);
    for (const before of [0, 3, 6]) {
      const hits = await Promise.all(
        [1, 2, 1, 3, 1].map(
          async (id) => (await limiter.count({ id, readAt: now(), address: null }, HOUR)).hits,
        ),
      );
      expect(hits).toEqual([before + 1, before / 3 + 1, before + 2, before / 3 + 1, before + 3]);
    }
  });

  test('get the rest and the end of a window of their length', async () => {
    const { limiter } = await limiterOn(engine);
    // The clock is read some time before the count.
    const readAt = now() - 2;
    const windows = [HOUR, 24 * HOUR];
    const counted = await Promise.all(
      windows.map((window, id) => limiter.count({ id, readAt, address: null }, window)),
    );
    for (const [index, { hits, secondsLeft, resetsAt }] of counted.entries()) {
      const window = windows[index]!;
      expect([hits, resetsAt]).toEqual([1, (Math.floor(now() / window) + 1) * window]);
      expect(Math.abs(resetsAt - now() - secondsLeft)).toBeLessThanOrEqual(30);
    }
  });

  test('fail if the table is gone, and so does a probe', async () => {
    const { knex, limiter } = await limiterOn(engine);
    await limiter.probe();
    await knex.schema.dropTable('panel_api_rate_limits');
    await expect(limiter.probe()).rejects.toMatchObject({ query: 'limiter.probe' });
    await expect(limiter.count({ id: 1, readAt: 0, address: null }, HOUR)).rejects.toMatchObject({
      query: 'limiter.count',
    });
  });
});

// MySQL is such a server from the start.
if (!isMysql)
  test('Tokens that are counted together on a server without RETURNING get their counts from a second statement', async () => {
    const { knex, database, limiter } = await limiterOn('mariadb');
    const ask = () =>
      [1, 2, 1].map(async (id) => (await limiter.count({ id, readAt: 0, address: null }, 24 * HOUR)).hits);
    const count = () => Promise.all(ask());
    expect(await count()).toEqual([1, 1, 2]);
    const onMysql = withoutReturning(database);
    const sent: string[] = [];
    knex.on('query', ({ sql }) => sent.push(sql));
    try {
      // The limiter learns from this failure that another server answers.
      for (const one of await Promise.allSettled(ask()))
        expect(one).toMatchObject({ reason: { query: 'limiter.count', code: 'UNKNOWN_ANSWER' } });
      expect(await count()).toEqual([5, 3, 6]);
      expect(sent.filter((sql) => /^select/i.test(sql.trim()))).toHaveLength(1);
    } finally {
      onMysql.mockRestore();
    }
    sent.length = 0;
    for (const before of [6, 8]) expect(await count()).toEqual([before + 1, before / 2 + 1, before + 2]);
    expect(sent.filter((sql) => /^start/i.test(sql))).toHaveLength(0);
  });

test('The first tokens that are counted together on such a server are counted too', async () => {
  const { database, limiter } = await limiterOn('mariadb');
  const onMysql = withoutReturning(database);
  try {
    const counted = [1, 2].map((id) => limiter.count({ id, readAt: 0, address: null }, HOUR));
    expect((await Promise.all(counted)).map(({ hits }) => hits)).toEqual([1, 1]);
  } finally {
    onMysql.mockRestore();
  }
});

test.each([
  ['count', { hits: Number.NaN, secondsLeft: 60 }],
  ['end', { hits: 1, secondsLeft: Number.NaN }],
])(
  'An answer whose %s is no number fails for all tokens that were counted together',
  async (_what, wrong) => {
    const { database, limiter } = await limiterOn('sqlite');
    const read = jest.spyOn(database.dialect.countHits, 'read').mockReturnValue([
      { token: 1, hits: 1, secondsLeft: 60 },
      { token: 2, ...wrong },
    ]);
    try {
      const counted = [1, 2].map((id) => limiter.count({ id, readAt: 0, address: null }, HOUR));
      for (const one of await Promise.allSettled(counted))
        expect(one).toMatchObject({ reason: { query: 'limiter.count', code: 'UNKNOWN_ANSWER' } });
    } finally {
      read.mockRestore();
    }
  },
);

test('A window that is ahead of the clock lasts no longer than its length, beside others that are not', async () => {
  const { knex, limiter } = await limiterOn('sqlite');
  const count = () => Promise.all([1, 2].map((id) => limiter.count({ id, readAt: 0, address: null }, HOUR)));
  await count();
  await knex('panel_api_rate_limits')
    .where({ token_id: 1 })
    .increment('window_start', 5 * HOUR);
  const [ahead] = await count();
  expect(ahead).toMatchObject({ hits: 2, secondsLeft: HOUR });
});
