import type { Knex } from 'knex';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { type MetricsPanel, type Samples, some, startMetricsPanel } from '../fixture/metricsPanel';
import { AUTHOR } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { setToken } from '../fixture/tokenRows';

const GB = 2 ** 30;
const DAY = 86_400;

/** When the file began: a time that is expected is the one that was written. */
const NOW = Math.floor(Date.now() / 1000);
const day = (days: number) => new Date((NOW + days * DAY) * 1000);
const written = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');
/** Long before the time in which failures are looked for first. */
const failedLongAgo = day(-300);
const secondsOf = (time: Date) => time.getTime() / 1000;

/** Some certificates beyond the 20 that are shown, which end later than all others. */
const OTHERS = Array.from({ length: 25 }, (_, index) => ({
  common_name: `other${index}.example`,
  status: 'valid',
  expires_at: written(day(200 + index)),
}));

async function fill(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  await knex('accounts').insert([
    { id: 1, username: 'anna', status: 'active', disk_used_bytes: 9 * GB, disk_limit_bytes: 10 * GB },
    { id: 2, username: 'ben', status: 'active', disk_used_bytes: 8 * GB, disk_limit_bytes: 10 * GB },
    { id: 3, username: 'cem', status: 'suspended', disk_used_bytes: 90 * GB, disk_limit_bytes: null },
    { id: 4, username: 'dan', status: 'pending', bandwidth_used_bytes: GB, bandwidth_limit_bytes: GB },
  ]);
  await knex('domains').insert([
    { domain: 'shop.example', type: 'primary', ssl_status: 'active', status: 'active', account_id: 1 },
    { domain: 'b.example', type: 'primary', ssl_status: 'active', status: 'active', account_id: 2 },
  ]);
  await knex('websites').insert({ domain: 'shop.example', status: 'stopped', account_id: 1 });
  const mailbox = { status: 'active', type: 'mailbox' };
  await knex('email').insert([
    { ...mailbox, address: 'a@shop.example', account_id: 1 },
    { ...mailbox, address: 'b@shop.example', account_id: 1, status: 'suspended' },
    { ...mailbox, address: 'c@b.example', account_id: 2, type: 'alias' },
  ]);
  await knex('databases').insert({ name: 'shop', engine: 'mariadb', status: 'ok', account_id: 1 });
  await knex('ssl').insert([
    { common_name: 'soon.example', status: 'valid', expires_at: written(day(3)), account_id: 2 },
    { common_name: 'renewed.example', status: 'valid', expires_at: written(day(1)), account_id: 1 },
    { common_name: 'renewed.example', status: 'valid', expires_at: written(day(80)), account_id: 1 },
    { common_name: 'over.example', status: 'expired', expires_at: written(day(-5)), account_id: 1 },
    { common_name: 'revoked.example', status: 'revoked', expires_at: written(day(2)), account_id: 1 },
    { common_name: 'ordered.example', status: 'pending', expires_at: null, account_id: 1 },
    ...OTHERS,
  ]);
  const backup = (account_id: number, days: number, more: object = {}) => ({
    account_id,
    scope: 'account',
    status: 'succeeded',
    finished_at: written(day(days)),
    ...more,
  });
  await knex('backups').insert([
    backup(1, -9),
    backup(1, -1),
    backup(2, -4),
    backup(2, -0.5, { status: 'failed' }),
    backup(2, -2, { account_id: null, scope: 'server' }),
  ]);
  const job = { type: 'deploy', status: 'failed', account_id: 1 };
  await knex('jobs').insert([
    { ...job, finished_at: written(day(-1)) },
    { ...job, finished_at: written(failedLongAgo), account_id: 2 },
    { ...job, status: 'queued', finished_at: null },
  ]);
  await knex('cron').insert([
    { schedule: '@daily', enabled: true, last_status: 'failed', account_id: 1 },
    { schedule: '@daily', enabled: true, last_status: null, account_id: 1 },
  ]);
}

describeEachEngine('The metrics', (engine) => {
  let database: TestDatabase;
  let scraped: MetricsPanel;
  let samples: Samples;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await fill(database.knex);
    scraped = await startMetricsPanel({ db: database.knex, panel: { name: 'Example', version: '7.1' } });
    samples = await scraped.samples(await scraped.panel.token());
  });

  test('count the rows of each list by status, with 0 for a word that no row has', () => {
    expect(some(samples, 'panel_accounts{')).toEqual({
      'panel_accounts{status="active"}': 2,
      'panel_accounts{status="suspended"}': 1,
      'panel_accounts{status="pending"}': 1,
    });
    expect(some(samples, 'panel_domains')).toEqual({ 'panel_domains{status="active"}': 2 });
    expect(some(samples, 'panel_websites')).toEqual({ 'panel_websites{status="stopped"}': 1 });
    expect(some(samples, 'panel_email')).toEqual({
      'panel_email_addresses{type="mailbox",status="active"}': 1,
      'panel_email_addresses{type="mailbox",status="suspended"}': 1,
      'panel_email_addresses{type="alias",status="active"}': 1,
    });
    expect(some(samples, 'panel_databases')).toEqual({ 'panel_databases{status="ok"}': 1 });
    expect(some(samples, 'panel_jobs')).toEqual({
      'panel_jobs{status="failed"}': 2,
      'panel_jobs{status="queued"}': 1,
    });
    expect(some(samples, 'panel_cron')).toEqual({
      'panel_cron_tasks{last_status="failed"}': 1,
      'panel_cron_tasks{last_status=""}': 1,
    });
    expect(samples['panel_jobs{status="running"}']).toBe(0);
  });

  test('count accounts that use nine tenths of a quota', () => {
    expect(some(samples, 'panel_accounts_full')).toEqual({
      'panel_accounts_full{quota="disk"}': 1,
      'panel_accounts_full{quota="bandwidth"}': 1,
    });
  });

  test('show the 20 names whose certificates end first, each with its last one', () => {
    const ends = some(samples, 'panel_certificate_expiry');
    expect(Object.keys(ends)).toHaveLength(20);
    const endOf = (name: string) => ends[`panel_certificate_expiry_timestamp_seconds{common_name="${name}"}`];
    for (const [name, days] of [
      ['over.example', -5],
      ['soon.example', 3],
      ['renewed.example', 80],
      ['other16.example', 216],
    ] as const)
      expect([name, endOf(name)]).toEqual([name, secondsOf(day(days))]);
    expect(some(samples, 'panel_certificates')).toEqual({
      'panel_certificates{status="valid"}': 28,
      'panel_certificates{status="expired"}': 1,
      'panel_certificates{status="pending"}': 1,
      'panel_certificates{status="revoked"}': 1,
    });
  });

  test('show when the last backup succeeded, and of which account that is longest ago', () => {
    const daysAgo = (name: string) => Math.round((Date.now() / 1000 - (samples[name] ?? 0)) / DAY);
    expect(daysAgo('panel_backup_last_success_timestamp_seconds{scope="account"}')).toBe(1);
    expect(daysAgo('panel_backup_last_success_timestamp_seconds{scope="server"}')).toBe(2);
    expect(daysAgo('panel_backup_oldest_last_success_timestamp_seconds')).toBe(4);
    expect(daysAgo('panel_job_last_failure_timestamp_seconds')).toBe(1);
  });

  test('show the services, the server, the module and each reading', () => {
    expect(some(samples, 'panel_service_running')).not.toEqual({});
    expect(samples.panel_server_memory_total_bytes).toBeGreaterThan(GB / 4);
    expect(samples['panel_server_disk_total_bytes{mount="/"}']).toBeGreaterThan(0);
    expect(samples.panel_server_load1).toBeGreaterThanOrEqual(0);
    expect(Object.keys(some(samples, 'panel_build_info'))).toEqual([
      expect.stringMatching(/^panel_build_info\{version="[\d.]+",panel="Example",panel_version="7\.1"\}$/),
    ]);
    const lists = Object.keys(some(samples, 'panel_source_up')).map((name) => /"(.*)"/.exec(name)?.[1]);
    expect(lists.toSorted()).toEqual([
      'accounts',
      'accounts.quotas',
      'backups',
      'backups.accounts',
      'cron',
      'databases',
      'domains',
      'email',
      'jobs',
      'server-health',
      'services',
      'ssl',
      'tokens',
      'usage',
      'websites',
    ]);
  });

  test('count requests by endpoint and status, of all tokens, and tokens that expire soon', async () => {
    const { panel } = scraped;
    const request = { name: 'soon', scopes: ['platform.read'], expiresInSeconds: 3 * DAY };
    const { token, record } = await panel.api.tokens.create(request, AUTHOR);
    const created = { created_at: record.createdAt - 30 * DAY };
    await database.knex('panel_api_tokens').where({ id: record.id }).update(created);
    await panel.get('/api/v1/server-health.php', token);
    await panel.get('/api/v1/domains.php', token);
    await panel.requestLines(3);
    const before = await scraped.samples(token);
    expect(before['panel_api_requests_total{endpoint="server-health",class="2xx"}']).toBe(1);
    expect(before['panel_api_requests_total{endpoint="domains",class="4xx"}']).toBe(1);
    expect(before.panel_tokens_expiring).toBe(1);
    expect(before.panel_tokens_silent).toBe(0);
    await panel.requestLines(4);
    await panel.api.usage.flush();
    const after = await scraped.samples(token);
    expect(after['panel_api_requests_total{endpoint="metrics",class="2xx"}']).toBe(2);
    expect(after['panel_api_requests_total{endpoint="domains",class="4xx"}']).toBe(1);
  });

  test('count the tokens that expire also if the counts of requests cannot be read', async () => {
    const token = await scraped.panel.token({ scopes: ['platform.read'] });
    await database.knex.schema.renameTable('panel_api_usage', 'unread');
    const samples = await scraped
      .samples(token)
      .finally(() => database.knex.schema.renameTable('unread', 'panel_api_usage'));
    expect(samples.panel_tokens_expiring).toEqual(expect.any(Number));
    expect(samples.panel_tokens_silent).toBeUndefined();
  });

  test('count the tokens that are silent', async () => {
    const { record } = await scraped.panel.api.tokens.create({ name: 'stopped', scopes: ['*'] }, AUTHOR);
    const today = Math.floor(record.createdAt / DAY);
    const days = Array.from({ length: 40 }, (_, index) => today - 3 - index);
    const count = { endpoint: 'domains', status_class: 2, requests: 1 };
    const counts = days.map((day) => ({ ...count, token_id: record.id, day }));
    const others = [today - 2, today - 1, ...days].map((day) => ({ ...count, token_id: 0, day }));
    await database.knex.batchInsert('panel_api_usage', [...counts, ...others], 50);
    await setToken(database.knex, record.id, { last_used_at: (today - 3) * DAY });
    const token = await scraped.panel.token({ scopes: ['platform.read'] });
    expect((await scraped.samples(token)).panel_tokens_silent).toBe(1);
    const own = await scraped.samples(await scraped.panel.token({ accountId: 2 }));
    expect(own.panel_tokens_silent).toBeUndefined();
  });

  test('of a token of one account are those of its account alone', async () => {
    const own = await scraped.samples(await scraped.panel.token({ accountId: 2 }));
    expect(some(own, 'panel_accounts')).toEqual({ 'panel_accounts{status="active"}': 1 });
    expect(some(own, 'panel_jobs')).toEqual({ 'panel_jobs{status="failed"}': 1 });
    expect(own.panel_job_last_failure_timestamp_seconds).toBe(secondsOf(failedLongAgo));
    expect(Object.keys(some(own, 'panel_certificate_expiry'))).toEqual([
      'panel_certificate_expiry_timestamp_seconds{common_name="soon.example"}',
    ]);
    expect(Object.keys(own).filter((name) => /server|service|token|requests/.test(name))).toEqual([]);
  });

  test('are read in at most 22 statements, beside those of the request', async () => {
    const token = await scraped.panel.token();
    await scraped.samples(token);
    await scraped.panel.api.usage.flush();
    const statements: string[] = [];
    const listener = ({ sql }: { sql: string }) => statements.push(sql);
    database.knex.on('query', listener);
    await scraped.samples(token);
    database.knex.removeListener('query', listener);
    const read = statements.filter((sql) => /^\s*select/i.test(sql) && !/"?hash"?/i.test(sql));
    expect(read.length).toBeGreaterThan(10);
    expect(read.length).toBeLessThanOrEqual(22);
  });
});

test('The metric of accounts without a backup is for tokens that may read both lists', async () => {
  const { knex } = await freshDatabase('sqlite');
  await createPanelTables(knex, ['accounts', 'backups']);
  const account = { status: 'active', created_at: written(day(-9)) };
  await knex('accounts').insert([
    { ...account, username: 'anna' },
    { ...account, username: 'ben' },
  ]);
  await knex('backups').insert({ account_id: 1, status: 'succeeded', finished_at: written(day(-1)) });
  const seenBy = async (request: object, sources: object = {}) => {
    const { panel, samples: scrape } = await startMetricsPanel({ db: knex, sources });
    const at = (await scrape(await panel.token(request))).panel_backup_oldest_last_success_timestamp_seconds;
    return at === undefined ? at : Math.round((Date.now() / 1000 - at) / DAY);
  };
  expect(await seenBy({})).toBe(9);
  expect(await seenBy({ scopes: ['accounts.read', 'backups.read'], accountId: '1' })).toBe(1);
  expect(await seenBy({ scopes: ['backups.read'] })).toBeUndefined();
  expect(await seenBy({}, { accounts: false })).toBeUndefined();
});

test('Tokens of which one may not read accounts do not share the metric', async () => {
  const { knex } = await freshDatabase('sqlite');
  await createPanelTables(knex, ['accounts', 'backups']);
  await knex('accounts').insert({ username: 'anna', status: 'active', created_at: written(day(-9)) });
  const { panel, samples: scrape } = await startMetricsPanel({ db: knex }, { maxAgeSeconds: 3600 });
  const both = await panel.token({ scopes: ['accounts.read', 'backups.read'] });
  const one = await panel.token({ scopes: ['backups.read'] });
  const name = 'panel_backup_oldest_last_success_timestamp_seconds';
  for (const token of [one, both, one]) expect(name in (await scrape(token))).toBe(token === both);
});
