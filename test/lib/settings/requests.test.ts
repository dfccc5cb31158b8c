import type { Knex } from 'knex';
import { caseMappers } from '../../fixture/caseMappers';
import { describeOneEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';

/** Beyond the numbers that are exact in JavaScript. */
const UNREADABLE = '9007199254740993';

describeOneEngine('The very next request', (engine) => {
  let database: TestDatabase;
  let otherHandle: Knex;
  let panel: TestPanel;
  let elsewhere: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    otherHandle = openHandle(handleSettings(database));
    panel = await startPanel({ db: database.knex, ...OWN_SWITCH });
    elsewhere = await startPanel({ db: otherHandle, ...OWN_SWITCH });
  });

  beforeEach(() => elsewhere.api.settings.change({ enabled: true, rateLimitRequests: 120 }, AUTHOR));

  test('uses the switch that was turned in another process', async () => {
    const token = await panel.token();
    expect((await panel.get(ME, token)).status).toBe(200);
    await elsewhere.api.settings.change({ enabled: false }, AUTHOR);
    expect((await panel.get(ME, token)).body.error.code).toBe('api_disabled');
  });

  test('uses the limit that was set in another process', async () => {
    const token = await panel.token();
    expect((await panel.get(ME, token)).headers.get('ratelimit-policy')).toBe('"default";q=120;w=60');
    await elsewhere.api.settings.change({ rateLimitRequests: 1, rateLimitWindowSeconds: 3600 }, AUTHOR);
    const refused = await panel.get(ME, token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=1;w=3600');
    await elsewhere.api.settings.change({ rateLimitRequests: 5, rateLimitWindowSeconds: 3600 }, AUTHOR);
    const { status, body } = await panel.get(ME, token);
    expect([status, body.data.rate_limit]).toMatchObject([200, { limit: 5, window_seconds: 3600 }]);
  });

  test('reads the settings in one statement before the token, and in none without a token if the panel fixes them', async () => {
    const statements: string[] = [];
    // A process writes counts, and looks at its migrations, beside its requests.
    const note = ({ sql }: { sql: string }) =>
      /panel_api_(?:usage|refusals)|applied_at/.test(sql) || statements.push(sql);
    const fixed = await startPanel({
      db: database.knex,
      httpsRequired: false,
      rateLimit: { requests: 100, windowSeconds: 60 },
    });
    const token = await panel.token();
    try {
      await Promise.all([panel, fixed].map((each) => each.get(ME, token)));
      database.knex.on('query', note);
      await panel.get(ME, token);
      expect(statements.map((sql) => sql.includes('panel_api_settings')).indexOf(true)).toBe(0);
      expect(statements.filter((sql) => sql.includes('panel_api_settings'))).toHaveLength(1);
      statements.length = 0;
      await fixed.get(ME);
      expect(statements.filter((sql) => sql.includes('panel_api_settings'))).toEqual([]);
    } finally {
      database.knex.off('query', note);
      await fixed.close();
    }
  });

  test('reads no token while the switch is off, even if its row is unreadable', async () => {
    const token = await panel.token({ name: 'unreadable' });
    await database.knex('panel_api_tokens').where({ name: 'unreadable' }).update({ rotated_at: UNREADABLE });
    expect((await panel.get(ME, token)).status).toBe(500);
    await elsewhere.api.settings.change({ enabled: false }, AUTHOR);
    expect((await panel.get(ME, token)).body.error.code).toBe('api_disabled');
  });

  test('uses the stored limit over a handle whose client renames the columns of rows', async () => {
    const { client } = database.knex;
    interface Reads {
      processResponse(...args: unknown[]): unknown;
    }
    class Renaming extends (client.constructor as new () => Knex.Client & Reads) {
      override processResponse(...args: unknown[]) {
        const rows = super.processResponse(...args);
        return Array.isArray(rows) ? rows.map(caseMappers.postProcessResponse as never) : rows;
      }
    }
    const settings = { ...handleSettings(database), client: Renaming as unknown as typeof Knex.Client };
    const renaming = await startPanel({ db: openHandle(settings) });
    await renaming.api.settings.change({ rateLimitRequests: 77 }, AUTHOR);
    const { headers } = await renaming.get(ME, await renaming.token());
    expect(headers.get('ratelimit-policy')).toContain(';q=77;');
  });
});
