import { describeEachEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { laterBy } from '../fixture/laterBy';
import { startPanel } from '../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../fixture/panelTables';
import '../fixture/tryAgain';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string | null;
}

const LISTS = 11;

describeEachEngine('health.php', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  /** Starts a panel whose processes know the columns of its lists, and counts its statements. */
  const start = async () => {
    const panel = await startPanel({ db: database.knex, sources: { settings: { keys: SHOWN_SETTINGS } } });
    const token = await panel.token();
    const get = (path: string) => panel.get(`/api/v1/${path}`, token);
    await get('health.php');
    const sent: string[] = [];
    database.knex.on('query', ({ sql }: { sql: string }) => sent.push(sql));
    return {
      statements: async (path: string) => {
        sent.length = 0;
        expect((await get(path)).status).toBe(200);
        return [...sent];
      },
    };
  };

  test('sends at most one statement for each list, and five besides', async () => {
    await createFilledTables(database.knex);
    const { statements } = await start();
    expect((await statements('health.php')).length).toBeLessThanOrEqual(LISTS + 5);
  });

  test('sends two more a minute later, for the history of the database and what the command has changed', async () => {
    await createFilledTables(database.knex);
    const { statements } = await start();
    laterBy(60_000);
    expect((await statements('health.php')).length).toBeLessThanOrEqual(LISTS + 7);
  });

  test('sends no more if lists have no table, and looks for the tables again', async () => {
    const { statements } = await start();
    laterBy(5000);
    const sent = await statements('health.php');
    expect(sent.filter((sql) => sql.includes('jobs'))).toHaveLength(1);
    expect(sent.length).toBeLessThanOrEqual(LISTS + 5);
  });

  test('sends none for the history, which the process compares once a minute', async () => {
    const { statements } = await start();
    const sent = await statements('health.php');
    expect(sent.filter((sql) => /settings/.test(sql))).toHaveLength(1);
  });

  test('leaves the search for words to release-audit.php, which keeps its result for ten minutes', async () => {
    await createFilledTables(database.knex);
    const { statements } = await start();
    const isSearch = (sql: string) => /distinct/i.test(sql);
    expect((await statements('health.php')).filter(isSearch)).toEqual([]);
    const first = await statements('release-audit.php');
    expect((await statements('release-audit.php')).length).toBeLessThan(20);
    laterBy(600_000);
    expect((await statements('release-audit.php')).filter(isSearch)).toHaveLength(
      first.filter(isSearch).length,
    );
  });
});

describe('The status of health.php', () => {
  const start = async (rows: () => Promise<readonly object[]>) => {
    const { knex } = await freshDatabase('sqlite');
    const panel = await startPanel({
      db: knex,
      deadlineMs: 1000,
      sources: { jobs: { fields: ['id', 'type', 'status'], rows: rows as () => Promise<never[]> } },
    });
    const token = await panel.token();
    return { panel, get: (query = '') => panel.get(`/api/v1/health.php${query}`, token) };
  };
  const checkOfJobs = (body: { data: { checks: readonly Check[] } }) =>
    body.data.checks.find(({ name }) => name === 'source:jobs');
  const broken = () => Promise.reject(new Error('broken'));

  test('is a warning for a list that is too slow, and names the cause', async () => {
    const { get } = await start(() => new Promise(() => undefined));
    const { body } = await get();
    expect(checkOfJobs(body)).toMatchObject({
      status: 'warn',
      detail: 'The check took longer than 0.5 seconds.',
    });
    expect(body.data.status).toBe('warn');
  });

  test('is in the code of the answer if the request asks for that', async () => {
    const { get, panel } = await start(broken);
    expect([(await get()).status, (await get('?status=code')).status]).toEqual([200, 503]);
    expect((await get('?status=code')).body).toMatchObject({
      success: false,
      error: { code: 'unavailable' },
    });
    const lines = await panel.requestLines(3);
    expect(lines.at(-1)?.fields).toMatchObject({ cause: 'FailedChecks', cause_checks: 'source:jobs' });
  });

  test('is 200 for a request that asks so while nothing fails', async () => {
    const { get } = await start(async () => []);
    const { status, body } = await get('?status=code');
    expect([status, body.data.status]).toEqual([200, 'warn']);
  });

  test.each([
    ['?status=text', { parameter: 'status', allowed: ['code'] }],
    ['?status=code&status=code', { parameter: 'status', expected: 'set only once' }],
    ['?stauts=code', { parameter: 'stauts', supported: ['status'] }],
  ])('is not asked for by %s', async (query, error) => {
    const { get } = await start(async () => []);
    const { status, body } = await get(query);
    expect([status, body.error]).toEqual([400, { code: 'query_invalid', ...error }]);
  });
});
