import { newToken } from '../../../lib/tokens/tokenFormat';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { setToken } from '../../fixture/tokenRows';
import { until } from '../../fixture/until';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';
const DOMAINS = '/api/v1/domains.php';

describeEachEngine('The use of a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, rateLimit: { requests: 50, windowSeconds: HOUR } });
  });

  const create = (scopes: readonly string[] = ['*']) =>
    panel.api.tokens.create({ name: 'test', scopes: [...scopes] }, AUTHOR);

  /** The counts of a token as `[endpoint, class, requests]`. */
  const countsOf = async (id: number) =>
    (await panel.api.usage.ofToken(id)).map(({ endpoint, statusClass, requests }) => [
      endpoint,
      statusClass,
      requests,
    ]);

  test('is counted by endpoint and class of the status', async () => {
    const { token, record } = await create(['profile.read', 'domains.read', 'platform.read']);
    const { headers } = await panel.get(ME, token);
    await panel.get(ME, token);
    await panel.get('/api/v1/openapi.php', token, {
      headers: { 'If-None-Match': (await panel.get('/api/v1/openapi.php', token)).headers.get('etag')! },
    });
    expect(headers.get('etag')).not.toBeNull();
    await panel.get(`${ME}?limit=1`, token); // 400
    await panel.get('/api/v1/email.php', token); // 403
    await panel.get(ME, token, { method: 'POST' }); // 405
    await panel.get(DOMAINS, token); // 501
    await panel.api.usage.flush();
    expect(await countsOf(record.id)).toEqual([
      ['domains', 5, 1],
      ['email', 4, 1],
      ['me', 2, 2],
      ['me', 4, 2],
      ['openapi', 2, 1],
      ['openapi', 3, 1],
    ]);
  });

  test('is counted under one name for all unknown paths', async () => {
    const { token, record } = await create();
    for (const path of ['', '/', '/<script>', '/ME.php', '/me.php/', '/other', "/x'--", '/%00'])
      await panel.get(`/api/v1${path}`, token);
    await panel.api.usage.flush();
    expect(await countsOf(record.id)).toEqual([['other', 4, 8]]);
    const endpoints = await database.knex('panel_api_usage').where({ token_id: record.id }).pluck('endpoint');
    expect(endpoints).toEqual(['other']);
  });

  test('is counted beyond the limit too', async () => {
    const { token, record } = await create(['profile.read']);
    await Promise.all(Array.from({ length: 53 }, () => panel.get(ME, token)));
    await panel.api.usage.flush();
    expect(await countsOf(record.id)).toEqual([
      ['me', 2, 50],
      ['me', 4, 3],
    ]);
  });

  test('is not counted if the token is refused, and is kept when the token is revoked', async () => {
    const { token, record } = await create();
    await panel.get(ME, token);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    await panel.get(ME, token);
    await panel.get(ME);
    await panel.get(ME, newToken('pnl'));
    await panel.api.usage.flush();
    expect(await countsOf(record.id)).toEqual([['me', 2, 1]]);
    expect(await panel.api.usage.today([record.id])).toEqual(new Map([[record.id, 1]]));
  });

  test('is counted as the limit counts it if the token is looked up after the deadline', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const enabled = async () => {
      await opened;
      return true;
    };
    const late = await startPanel({ db: database.knex, enabled, deadlineMs: 200 });
    const { token, record } = await create();
    expect((await late.get(ME, token)).status).toBe(503);
    await late.requestLines(1);
    open();
    const hits = () => database.knex('panel_api_rate_limits').where({ token_id: record.id }).pluck('hits');
    await until(async () => (await hits()).length > 0);
    await late.api.usage.flush();
    await late.close();
    expect((await hits()).map(Number)).toEqual([1]);
    expect(await countsOf(record.id)).toEqual([['me', 5, 1]]);
  });

  // SQLite has one writer, and the process waits for it.
  if (engine !== 'sqlite') {
    test('is counted if the client left before it was authenticated', async () => {
      const { token, record } = await create();
      const lines = panel.log.length;
      await setToken(database.knex, record.id, { last_used_at: 1 });
      const blocker = await database.knex.transaction();
      await blocker('panel_api_rate_limits').where({ token_id: record.id }).forUpdate().first();
      const leave = new AbortController();
      const sent: string[] = [];
      const note = ({ sql }: { sql: string }) => sent.push(sql);
      database.knex.on('query', note);
      const left = panel.get(ME, token, { signal: leave.signal }).catch(() => 'left');
      // Its look-up is done, and its count waits for the row.
      await until(() => sent.some((sql) => sql.includes('panel_api_rate_limits')));
      database.knex.off('query', note);
      leave.abort();
      expect(await left).toBe('left');
      await until(() => panel.log.length > lines);
      await blocker.commit();
      await until(async () => (await countsOf(record.id)).length > 0);
      expect(await countsOf(record.id)).toEqual([['me', 0, 1]]);
    });
  }

  test('is read for several tokens at once, with the counts that are not written yet', async () => {
    const [one, other, none] = [await create(), await create(), await create()];
    for (const token of [one.token, other.token, other.token]) await panel.get(ME, token);
    await panel.api.usage.flush();
    await panel.get(ME, one.token);
    await panel.requestLines(1);
    expect(await panel.api.usage.today([one.record.id, other.record.id, none.record.id])).toEqual(
      new Map([
        [one.record.id, 2],
        [other.record.id, 2],
        [none.record.id, 0],
      ]),
    );
    expect(await panel.api.usage.ofToken([one.record.id, other.record.id])).toEqual([
      { day: expect.any(String), endpoint: 'me', statusClass: 2, requests: 4, lastAt: expect.any(Number) },
    ]);
    await panel.api.usage.flush();
    expect(await panel.api.usage.today([one.record.id])).toEqual(new Map([[one.record.id, 2]]));
  });
});
