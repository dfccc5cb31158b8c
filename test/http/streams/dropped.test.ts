import type { Knex } from 'knex';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { laterBy } from '../../fixture/laterBy';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createFilledTables } from '../../fixture/panelTables';
import { DOMAINS } from '../../fixture/streams/longPanel';
import { openList } from '../../fixture/streams/openList';

const WEBSITES = '/api/v1/websites.php';
const JOBS = '/api/v1/jobs.php';

// The column `site` is only in the condition of the join.
const joined = {
  query: (knex: Knex) => knex('websites as w').join('sites as s', 's.site', 'w.id'),
  fields: { id: 'w.id', domain: 'w.domain', status: 's.state' },
};

describeEachEngine('While a panel runs, a list', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    await database.knex.schema.createTable('sites', (table) => {
      table.integer('site');
      table.string('state');
    });
    await database.knex('sites').insert({ site: 1, state: 'active' });
    panel = await startPanel({
      db: database.knex,
      sources: { websites: joined, ssl: [{}, { table: 'websites', fields: { common_name: 'domain' } }] },
      rateLimit: { requests: 10_000 },
    });
    token = await panel.token();
  });

  afterEach(() => expectIdle(database));

  const ask = async (path: string) => {
    const { response, rest } = await openList(panel.url + path, token);
    const { error, data } = JSON.parse((await rest()).text);
    return [response.statusCode, error?.code ?? data.items.length];
  };
  const rename = (table: string, from: string, to: string) =>
    database.knex.schema.alterTable(table, (altered) => {
      altered.renameColumn(from, to);
    });

  test.each([
    ['of its key', DOMAINS, 'domains', 'id'],
    ['of a required field', DOMAINS, 'domains', 'ssl_status'],
    ['that a field of a query names', WEBSITES, 'sites', 'state'],
    ['that the condition of a join names', WEBSITES, 'sites', 'site'],
    ['of a table of one of its parts', '/api/v1/ssl.php', 'ssl', 'status'],
  ])('answers 501 while a column %s is gone, and comes back with it', async (_which, path, table, column) => {
    const [, before] = await ask(path);
    expect(before).toBeGreaterThan(0);
    await rename(table, column, 'elsewhere');
    expect(await ask(path)).toEqual([501, 'resource_unavailable']);
    expect(await ask(path)).toEqual([501, 'resource_unavailable']);
    expect((await ask(JOBS))[0]).toBe(200);
    await rename(table, 'elsewhere', column);
    laterBy(5000);
    expect(await ask(path)).toEqual([200, before]);
  });

  test.each([
    ['a list', DOMAINS, 'domains', 'dns_managed'],
    ['a page', `${DOMAINS}?limit=5`, 'domains', 'dnssec_enabled'],
    ['a list of parts', '/api/v1/ssl.php', 'ssl', 'issuer'],
  ])('continues without an optional column: %s', async (_what, path, table, column) => {
    const [, before] = await ask(path);
    expect(before).toBeGreaterThan(0);
    await rename(table, column, 'elsewhere');
    expect(await ask(path)).toEqual([200, before]);
    await rename(table, 'elsewhere', column);
  });

  test.each([
    ['updated_since=2020-01-01', 'updated_at'],
    ['account_id=1', 'account_id'],
  ])('is not empty if %s was requested and the column has just been removed', async (asked, column) => {
    const path = `${DOMAINS}?${asked}`;
    await rename('domains', column, 'elsewhere');
    expect(await ask(path)).toEqual([501, 'resource_unavailable']);
    expect(await ask(path)).toEqual([400, 'query_invalid']);
    expect(await ask(DOMAINS)).toEqual([200, 1]);
    await rename('domains', 'elsewhere', column);
  });

  test.each([
    [DOMAINS, 'domains'],
    [WEBSITES, 'sites'],
  ])('at %s answers 501 while its table is gone, and comes back with it', async (path, table) => {
    await database.knex.schema.renameTable(table, 'elsewhere');
    expect(await ask(path)).toEqual([501, 'resource_unavailable']);
    expect((await ask(JOBS))[0]).toBe(200);
    await database.knex.schema.renameTable('elsewhere', table);
    laterBy(5000);
    expect(await ask(path)).toEqual([200, 1]);
  });
});
