import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { freshDatabase, openHandle, type TestDatabase } from '../fixture/databases';
import { HeldTables } from '../fixture/faults/heldTables';
import { handleSettings } from '../fixture/handleSettings';
import { laterBy } from '../fixture/laterBy';
import { type MetricsPanel, startMetricsPanel } from '../fixture/metricsPanel';
import { createFilledTables } from '../fixture/panelTables';
import { until } from '../fixture/until';
import '../fixture/tryAgain';

const UP = 'panel_source_up{list="jobs"}';
const FILTERS = 20;

// SQLite locks no single table, and has one connection.
describe.each(['mariadb', 'postgresql'] as const)('While tables are locked (%s)', (engine) => {
  let database: TestDatabase;
  let scraped: MetricsPanel;
  let tables: HeldTables;
  let statements: string[];

  beforeEach(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    const handle = (max: number): Knex => openHandle({ ...handleSettings(database), pool: { min: 0, max } });
    scraped = await startMetricsPanel({ db: database.knex, deadlineMs: 3000 }, { maxAgeSeconds: 15 });
    tables = new HeldTables(engine, handle(1), handle(1));
    statements = [];
    database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  });

  /** Has the columns of the lists looked at. */
  const look = async (token: string) => {
    for (const path of ['jobs', 'domains']) await scraped.panel.get(`/api/v1/${path}.php?limit=1`, token);
  };
  /** Has reads of a token wait for a locked table in all of its places. */
  const takePlaces = async (token: string) => {
    await tables.hold(['domains']);
    const filters = Array.from({ length: FILTERS }, (_, index) =>
      scraped.panel.get(`/api/v1/domains.php?status=active&limit=${index + 1}`, token),
    );
    await until(() => statements.filter((sql) => sql.includes('domains')).length >= 2);
    return filters;
  };
  const scrape = async (token: string): Promise<number | undefined> => (await scraped.samples(token))[UP];

  test('a list is shown beside a token whose own reads take all of its places', async () => {
    const scopes = ['jobs.read', 'domains.read'];
    const [greedy, other] = [await scraped.panel.token({ scopes }), await scraped.panel.token({ scopes })];
    await look(other);
    const filters = await takePlaces(greedy);
    const leaving = new AbortController();
    const left = scraped.ask(greedy, { signal: leaving.signal }).catch(() => null);
    await until(async () => {
      const used = await database.knex('panel_api_rate_limits').sum({ hits: 'hits' }).first();
      return Number(used?.hits) >= FILTERS + 3;
    });
    await sleep(100);
    leaving.abort();
    expect(await scrape(other)).toBe(1);
    await tables.release();
    await Promise.all([left, ...filters]);
  });

  test('a list is shown to a token whose own reads take all of its places', async () => {
    const token = await scraped.panel.token({ scopes: ['jobs.read', 'domains.read'] });
    await look(token);
    const filters = await takePlaces(token);
    expect(await scrape(token)).toBe(1);
    await tables.release();
    await Promise.all(filters);
  });

  test('a list that was locked is shown a minute later', async () => {
    const token = await scraped.panel.token({ scopes: ['jobs.read', 'domains.read'] });
    await look(token);
    await tables.hold(['jobs']);
    expect(await scrape(token)).toBe(0);
    await tables.release();
    expect(await scrape(token)).toBe(0);
    laterBy(60_000);
    expect(await scrape(token)).toBe(1);
  });
});
