import { knex as connect } from 'knex';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';

const ME = '/api/v1/me.php';
const DAY_SECONDS = 86_400;
const TABLE = 'panel_api_usage';

describeEachEngine('The days of the counts', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let today: number;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, usage: { keepDays: 10 } });
    token = await panel.token();
    // Its clock is this machine's; a test that runs over midnight would see two days.
    today = Math.floor(Date.now() / 1000 / DAY_SECONDS);
  });

  afterEach(async () => {
    await panel?.close();
    await database?.drop();
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

  test.each([0, -1, 1.5, 3652, Number.NaN])('cannot be %p', async (days) => {
    await expect(panel.api.usage.ofToken(1, { days })).rejects.toMatchObject({
      name: 'InvalidInput',
      input: 'days',
    });
  });

  test('are removed when they are older than those that are kept, once a day', async () => {
    await insert([today - 400, today - 11, today - 10, today - 1]);
    await use();
    expect(await days()).toEqual([-10, -1, 0]);
    await insert([today - 11]);
    await use();
    expect(await days()).toEqual([-11, -10, -1, 0]);
  });

  test('are removed by so many rows at a time', async () => {
    await insert(Array.from({ length: 5001 }, () => today - 20));
    const left = () =>
      database
        .knex(TABLE)
        .where('day', '<', today)
        .count({ rows: '*' })
        .first()
        .then((row) => Number(row?.rows));
    await use();
    expect(await left()).toBe(1);
    await use();
    expect(await left()).toBe(0);
  });
});

describe('The day of a count (mariadb)', () => {
  test("is that of the database's clock when the token was read", async () => {
    const database = await freshDatabase('mariadb');
    const lastSecond = 20_000 * DAY_SECONDS - 1;
    const handleAt = (seconds: number) =>
      connect({
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
    try {
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
      expect(await panels[0]!.api.usage.today([record.id])).toEqual(new Map([[record.id, 2]]));
    } finally {
      await Promise.all(panels.map((panel) => panel.close()));
      await Promise.all(handles.map((handle) => handle.destroy()));
      await database.drop();
    }
  });
});
