import type { Knex } from 'knex';
import { describeEachEngine, freshDatabase } from '../fixture/databases';
import { type MetricsPanel, startMetricsPanel } from '../fixture/metricsPanel';
import { createPanelTables } from '../fixture/panelTables';

const CUSTOMERS = 10_001;
const [FIRST, LAST, FOREIGN] = [1000, 999 + CUSTOMERS, 50_000];

const account = (id: number, owner_id: number | null = null) => ({
  id,
  owner_id,
  username: `user${id}`,
  status: 'active',
  created_at: '2024-01-01 00:00:00',
});

describeEachEngine('A reseller of more than 10,000 customers', (engine) => {
  let knex: Knex;
  let scraped: MetricsPanel;
  let token: string;

  beforeAll(async () => {
    ({ knex } = await freshDatabase(engine));
    await createPanelTables(knex, ['accounts', 'jobs']);
    const owned = Array.from({ length: CUSTOMERS }, (_, index) => account(FIRST + index, 1));
    await knex.batchInsert('accounts', [account(1), account(2), ...owned, account(FOREIGN, 2)], 150);
    const jobs = [1, 2, FIRST, LAST, FOREIGN];
    await knex('jobs').insert(jobs.map((account_id) => ({ account_id, type: 'x', status: 'queued' })));
    scraped = await startMetricsPanel({ db: knex }, { maxAgeSeconds: 3600 });
    token = await scraped.panel.token({ accountId: '1', owner: true });
  });

  test('has the figures of their rows', async () => {
    const samples = await scraped.samples(token);
    expect(samples['panel_jobs{status="queued"}']).toBe(3);
    expect(samples['panel_accounts{status="active"}']).toBe(CUSTOMERS + 1);
    expect(samples['panel_source_up{list="accounts.quotas"}']).toBe(1);
  });

  test('does not have the figures of a customer who has gone to another', async () => {
    await scraped.samples(token);
    await knex('accounts').where({ id: FIRST }).update({ owner_id: 2 });
    await knex('accounts').insert(account(LAST + 1, 1));
    const samples = await scraped.samples(token);
    expect(samples['panel_jobs{status="queued"}']).toBe(2);
  });
});
