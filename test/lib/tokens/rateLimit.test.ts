import { InvalidInput, type TokenRequest } from '../../../index';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';

describeOneEngine('The rate limit of a token', (engine) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase(engine);
  });

  const mount = (store: 'database' | 'memory' = 'database') =>
    startPanel({ db: database.knex, rateLimit: { requests: 3, windowSeconds: HOUR, store } });

  const statuses = async (panel: TestPanel, token: string, requests: number) => {
    const seen: number[] = [];
    for (let request = 0; request < requests; request += 1) seen.push((await panel.get(ME, token)).status);
    return seen;
  };

  test.each(['database', 'memory'] as const)(
    'replaces the limit of the mount, with the store %s',
    async (store) => {
      const panel = await mount(store);
      expect(await statuses(panel, await panel.token({ rateLimit: 2 }), 3)).toEqual([200, 200, 429]);
      expect(await statuses(panel, await panel.token({ rateLimit: 5 }), 6)).toEqual([
        200, 200, 200, 200, 200, 429,
      ]);
      expect(await statuses(panel, await panel.token(), 4)).toEqual([200, 200, 200, 429]);
    },
  );

  test('is shown in the headers and in me.php', async () => {
    const panel = await mount();
    const { headers, body } = await panel.get(ME, await panel.token({ rateLimit: 5 }));
    expect(headers.get('RateLimit-Policy')).toBe(`"default";q=5;w=${HOUR}`);
    expect(headers.get('RateLimit')).toMatch(/^"default";r=4;t=\d+$/);
    expect(body.data.rate_limit).toMatchObject({ limit: 5, remaining: 4 });
  });

  test('is stored in the record and in the audit trail', async () => {
    const { api } = await mount();
    for (const rateLimit of [1, 1_000_000_000]) {
      const { record } = await api.tokens.create({ name: 'billing', scopes: ['*'], rateLimit }, AUTHOR);
      expect(record.rateLimit).toBe(rateLimit);
      expect((await api.tokens.get(record.id))?.rateLimit).toBe(rateLimit);
      expect((await api.audit.list({ tokenId: record.id }))[0]?.details.rate_limit).toBe(rateLimit);
    }
  });

  test('is refused with InvalidInput if it is no valid limit, and nothing is written', async () => {
    const { api } = await mount();
    const before = await api.tokens.list();
    const wrong = [0, -1, 0.5, 1_000_000_001, Number.NaN, '5', '', null, undefined, true, 5n, [5], {}];
    for (const rateLimit of wrong) {
      const request = { name: 'billing', scopes: ['*'], rateLimit } as TokenRequest;
      const error = await api.tokens.create(request, AUTHOR).catch((reason) => reason);
      expect([rateLimit, error]).toEqual([rateLimit, expect.any(InvalidInput)]);
      expect(error.input).toBe('rateLimit');
    }
    expect((await api.tokens.list()).length).toBe(before.length);
  });

  test('that is 0 in the table allows no request', async () => {
    const panel = await mount();
    const token = await panel.token({ rateLimit: 5 });
    await database.knex('panel_api_tokens').where({ rate_limit: 5 }).update({ rate_limit: 0 });
    expect(await statuses(panel, token, 1)).toEqual([429]);
  });
});
