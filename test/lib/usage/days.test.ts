import type { Knex } from 'knex';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const DAY_SECONDS = 86_400;
const TABLE = 'panel_api_usage';

const hourNow = () => Math.floor(Date.now() / 1000 / 3600);

describeEachEngine('The days of the counts', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let today: number;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    // With the default deadline, a busy machine would put off the deletion for an hour.
    panel = await startPanel({ db: database.knex, usage: { keepDays: 10 }, deadlineMs: 60_000 });
    token = await panel.token();
    // Its clock is this machine's; a test that runs over midnight would see two days.
    today = Math.floor(Date.now() / 1000 / DAY_SECONDS);
  });

  const text = (day: number) => new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);

  const insert = (days: readonly number[], tokenId = 1) =>
    database.knex.batchInsert(
      TABLE,
      days.map((day, index) => ({
        token_id: tokenId + index,
        day,
        endpoint: 'me',
        status_class: 2,
        requests: 1,
      })),
      100,
    );

  const days = async () =>
    (await database.knex(TABLE).distinct('day').orderBy('day')).map(({ day }) => Number(day) - today);

  const use = async () => {
    await panel.get(ME, token);
    await panel.api.usage.flush();
  };

  test('are read as many as were asked for, the newest first', async () => {
    await insert([today - 30, today - 29, today - 1]);
    const read = (options?: { days: number }) =>
      panel.api.usage.ofToken([1, 2, 3], options).then((rows) => rows.map(({ day }) => day));
    expect(await read()).toEqual([text(today - 1), text(today - 29)]);
    expect(await read({ days: 31 })).toEqual([text(today - 1), text(today - 29), text(today - 30)]);
    expect(await read({ days: 1 })).toEqual([]);
    expect(await panel.api.usage.today([1, 2, 3])).toEqual(
      new Map([
        [1, 0],
        [2, 0],
        [3, 0],
      ]),
    );
  });

  test('are read of more tokens than one statement takes', async () => {
    await insert([today, today, today - 1]);
    const ids = Array.from({ length: 70_000 }, (_, index) => 70_000 - index);
    const counts = await panel.api.usage.today(ids);
    expect([counts.size, counts.get(1), counts.get(2), counts.get(3), counts.get(70_000)]).toEqual([
      70_000, 1, 1, 0, 0,
    ]);
    const rows = await panel.api.usage.ofToken(ids);
    expect(rows.map(({ day, requests }) => [day, requests])).toEqual([
      [text(today), 2],
      [text(today - 1), 1],
    ]);
  });

  test('are deleted by the first write of a process if they are older than those that are kept', async () => {
    await insert([today - 400, today - 11, today - 10, today - 1]);
    await use();
    expect(await days()).toEqual([-10, -1, 0]);
  });

  test('are kept without a count of yesterday, counted back from the newest, because the clock may be wrong', async () => {
    await insert([today - 13, today - 12, today - 2]);
    await use();
    expect(await days()).toEqual([-12, -2, 0]);
  });

  test('are looked for by the first write of each hour, and by no other', async () => {
    const looks: string[] = [];
    database.knex.on('query', ({ sql }: Knex.Sql) => {
      if (/^select max/i.test(sql)) looks.push(sql);
    });
    const count = async (hour: number) => {
      const request = { token: { id: 1, readAt: hour * 3600 }, endpoint: 'me', status: 200 };
      panel.api.usage.count(request);
      await panel.api.usage.flush();
    };
    const hour = hourNow();
    for (const written of [hour, hour, hour + 1, hour + 1]) await count(written);
    expect(looks).toHaveLength(2);
  });

  test('are deleted in batches of limited size, one with each write', async () => {
    await insert([...Array.from({ length: 10_000 }, () => today - 20), today - 1, today - 20]);
    const batches: number[] = [];
    database.knex.on('query-response', (rows: unknown, { method, sql }: Knex.Sql) => {
      if (method === 'del' && new RegExp(`${TABLE}\\b`).test(sql) && Number(rows) > 0)
        batches.push(Number(rows));
    });
    for (let write = 0; write < 4; write += 1) await use();
    expect(batches).toEqual([5000, 5000, 1]);
    expect(await days()).toEqual([-1, 0]);
  });
});

test('A period of days is a whole number of days that are kept at all, and has no other key', async () => {
  const { usage } = (await startPanel({ db: (await freshDatabase('sqlite')).knex })).api;
  for (const period of [{ day: 7 }, { days: 7, from: 1 }, null, 7])
    await expect(usage.ofToken(1, period as { days: number })).rejects.toThrow(
      'A period may have only days.',
    );
  for (const days of [0, -1, 1.5, 3652, Number.NaN])
    await expect(usage.ofToken(1, { days })).rejects.toMatchObject({ name: 'InvalidInput', input: 'days' });
});

describe('The counts of earlier days (mariadb)', () => {
  let database: TestDatabase;
  let knex: Knex;
  let panel: TestPanel;

  const start = async (settings: Knex.Config) => {
    knex = openHandle(settings);
    panel = await startPanel({ db: knex, usage: { keepDays: 10 } });
    const token = await panel.token();
    return async () => {
      await panel.get(ME, token);
      await panel.api.usage.flush();
    };
  };

  const insertDays = (days: readonly number[]) =>
    database
      .knex(TABLE)
      .insert(days.map((day) => ({ token_id: 1, day, endpoint: 'me', status_class: 2, requests: 1 })));

  const countedDays = async () => (await database.knex(TABLE).orderBy('day')).map(({ day }) => Number(day));

  test('are kept if the clock of the database is wrong for a moment', async () => {
    database = await freshDatabase('mariadb');
    const use = await start({ ...handleSettings(database), pool: { min: 1, max: 1 } });
    const today = Math.floor(Date.now() / 1000 / DAY_SECONDS);
    await insertDays([today - 9, today - 1]);
    await knex.raw('set timestamp = ?', [(today + 400) * DAY_SECONDS]);
    await use();
    await knex.raw('set timestamp = default');
    await use();
    expect(new Set(await countedDays())).toEqual(new Set([today - 9, today - 1, today, today + 400]));
  });

  test('that cannot be deleted are logged once', async () => {
    database = await freshDatabase('mariadb');
    const name = `user_${database.knex.client.database().slice(-12)}`;
    const grants = `grant select, insert, update, create, alter, index, drop on ${database.knex.client.database()}.*`;
    await database.knex.raw(`create user ${name}@'%' identified by 'x'`);
    await database.knex.raw(`${grants} to ${name}@'%'`);
    try {
      const url = new URL(database.url);
      [url.username, url.password] = [name, 'x'];
      const use = await start({ client: 'mysql2', connection: url.href });
      await insertDays([1, Math.floor(hourNow() / 24) - 1]);
      const notes = () => panel.log.filter(({ message }) => message === 'panel-api usage not pruned');
      await use();
      panel.api.usage.count({
        token: { id: 1, readAt: (hourNow() + 1) * 3600 },
        endpoint: 'me',
        status: 200,
      });
      await panel.api.usage.flush();
      expect(notes().map(({ level, fields }) => [level, fields?.cause])).toEqual([
        ['warn', 'ER_TABLEACCESS_DENIED_ERROR'],
      ]);
      expect(await countedDays()).toContain(1);
    } finally {
      await database.knex.raw(`drop user ${name}@'%'`);
    }
  });
});

describe('The day of a count (mariadb)', () => {
  test("is that of the database's clock when the token was read", async () => {
    const database = await freshDatabase('mariadb');
    const lastSecond = 20_000 * DAY_SECONDS - 1;
    const handleAt = (seconds: number) =>
      openHandle({
        ...handleSettings(database),
        pool: {
          min: 0,
          max: 2,
          afterCreate: (
            connection: { query(sql: string, done: (error: Error | null) => void): void },
            done: (error: Error | null, connection: unknown) => void,
          ) => connection.query(`SET timestamp = ${seconds}`, (error) => done(error, connection)),
        },
      });
    const handles = [handleAt(lastSecond), handleAt(lastSecond + 1)];
    const panels = await Promise.all(handles.map((db) => startPanel({ db })));
    const { token, record } = await panels[0]!.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    for (const panel of panels) {
      expect((await panel.get(ME, token)).status).toBe(200);
      await panel.api.usage.flush();
    }
    const rows = await panels[1]!.api.usage.ofToken(record.id);
    expect(rows.map(({ day, requests }) => [day, requests])).toEqual([
      ['2024-10-04', 1],
      ['2024-10-03', 1],
    ]);
    for (const { api } of panels)
      expect(await api.usage.today([record.id])).toEqual(new Map([[record.id, 1]]));
  });
});
