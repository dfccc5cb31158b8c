import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const LIMIT = 20;
const SKEW = 5 * HOUR;

const statusesOf = async (panels: readonly TestPanel[], token: string, requests: number) => {
  const statuses: number[] = [];
  for (let request = 0; request < requests; request += 1) {
    const panel = panels[request % panels.length] as TestPanel;
    statuses.push((await panel.get(ME, token)).status);
  }
  return statuses;
};
const allowed = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

describe('Two processes over SQLite whose clocks are hours apart', () => {
  let database: TestDatabase;
  let panels: readonly TestPanel[] = [];

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    const handles = [0, SKEW].map((skew) => {
      // SQLite's own function reads the clock of the process.
      const afterCreate = (
        connection: { function(name: string, options: object, body: () => string): void },
        done: () => void,
      ) => {
        const clock = () => String(Math.floor(Date.now() / 1000) + skew);
        connection.function('strftime', { varargs: true, deterministic: false }, clock);
        done();
      };
      return openHandle({ ...handleSettings(database), pool: { min: 0, max: 1, afterCreate } });
    });
    const rateLimit = { requests: LIMIT, windowSeconds: HOUR };
    panels = await Promise.all(handles.map((db) => startPanel({ db, rateLimit })));
  });

  test('allow at most twice the limit if the process with the earlier clock is first', async () => {
    const token = await panels[0]!.token();
    const statuses = await statusesOf(panels, token, 5 * LIMIT);
    expect(allowed(statuses)).toBeGreaterThanOrEqual(LIMIT);
    expect(allowed(statuses)).toBeLessThanOrEqual(2 * LIMIT);
  });

  test('allow exactly the limit once the process with the later clock has counted', async () => {
    const token = await panels[0]!.token();
    expect(allowed(await statusesOf(panels.toReversed(), token, 3 * LIMIT))).toBe(LIMIT);
    const { status, headers } = await panels[0]!.get(ME, token);
    expect([status, Number(headers.get('retry-after')) <= HOUR]).toEqual([429, true]);
  });
});

describe.each(['postgresql', 'sqlite'] as const)(
  'A window that is ahead of the clock, which was set back (%s)',
  (engine) => {
    test('continues, and is reset once the stated seconds have passed', async () => {
      const database = await freshDatabase(engine);
      const panel = await startPanel({ db: database.knex, rateLimit: { requests: 2, windowSeconds: 2 } });
      const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
      await panel.get(ME, token);
      const row = database.knex('panel_api_rate_limits').where({ token_id: record.id });
      await row.update({ window_start: Math.floor(Date.now() / 1000 / 2) * 2 + SKEW, hits: 2 });
      const { status, headers } = await panel.get(ME, token);
      const seconds = Number(headers.get('retry-after'));
      expect([status, seconds >= 1 && seconds <= 2]).toEqual([429, true]);
      await sleep(seconds * 1000);
      expect((await panel.get(ME, token)).status).toBe(200);
    });
  },
);
