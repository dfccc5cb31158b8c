import { operations } from '../../routes';
import { describeEachEngine, type TestDatabase } from '../fixture/databases';
import { type FullPanel, startFullPanel } from '../fixture/fullPanel';
import type { TestPanel } from '../fixture/panel';
import { SECRET } from '../fixture/panelTables';

describeEachEngine('A list', (engine) => {
  let full: FullPanel;
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    full = await startFullPanel(engine);
    ({ database, panel, token } = full);
  });

  const items = async (name: string) => (await panel.get(`/api/v1/${name}.php`, token)).body.data.items;
  const inserted = async (table: string, row: object) => {
    await database.knex(table).insert(row);
    return (await items(table)).at(-1);
  };

  test('returns each row with the declared fields that the table has, in their declared order', async () => {
    expect((await items('domains'))[0]).toEqual({
      id: 1,
      domain: 'shop.example',
      type: 'primary',
      ssl_status: 'active',
      status: 'active',
      account_id: 1,
      parent_id: null,
      website_id: null,
      dns_managed: null,
      dnssec_enabled: null,
      mail_enabled: null,
      registration_expires_at: '2027-01-31T23:59:59+00:00',
      created_at: '2026-06-12T00:00:00+00:00',
      updated_at: null,
    });
    expect(Object.keys((await items('domains'))[0]).slice(0, 3)).toEqual(['id', 'domain', 'type']);
  });

  test('never returns a column that is not declared', async () => {
    for (const { name } of operations) {
      expect((await panel.get(`/api/v1/${name}.php`, token)).text).not.toContain(SECRET);
    }
  });

  test('shows only the settings that the panel allows, and never the value of a secret', async () => {
    const { body, text } = await panel.get('/api/v1/settings.php', token);
    expect(body.data.items).toEqual([
      {
        key: 'backup.keep_days',
        group: 'backup',
        label: 'Days',
        type: 'integer',
        value: 14,
        is_set: true,
        updated_at: null,
      },
      {
        key: 'panel.name',
        group: 'general',
        label: 'Name',
        type: 'string',
        value: 'My Panel',
        is_set: true,
        updated_at: null,
      },
      {
        key: 'smtp.password',
        group: 'mail',
        label: 'Password',
        type: 'secret',
        value: null,
        is_set: true,
        updated_at: null,
      },
    ]);
    expect(text).not.toContain(SECRET);
  });

  test('reads lists from separated text and from JSON', async () => {
    const [website] = await items('websites');
    expect(website.aliases).toEqual(['www.shop.example', 'm.shop.example']);
    expect(website.ip_addresses).toEqual(['192.0.2.7', '2001:db8::7']);
  });

  test('derives fields that the panel has no column for', async () => {
    expect((await items('backups'))[0]).toMatchObject({ duration_ms: 90_000, file_name: 'shop.tar.gz' });
    expect((await items('cron'))[0]).toMatchObject({
      command: 'mysqldump --password=… …',
      command_masked: true,
    });
    expect((await items('cron'))[0].next_run_at).toMatch(/:[0-5][05]:00\+00:00$/);
    expect((await items('email'))[0].address).toBe('anna@shop.example');
    expect((await items('ssl'))[0].days_left).toEqual(expect.any(Number));
  });

  test('reads a limit below zero as no limit', async () => {
    expect((await items('accounts'))[0]).toMatchObject({ disk_used_bytes: 1024, disk_limit_bytes: null });
  });

  test('returns the limits of an account, a negative one as null, and its name servers as a list', async () => {
    const [account] = await items('accounts');
    expect(account).toMatchObject({
      website_count: 1,
      website_limit: null,
      database_limit: 5,
      inode_limit: null,
    });
    expect(account.nameservers).toEqual(['ns1.panel.example', 'ns2.panel.example']);
    expect(account.ip_addresses).toEqual([]);
  });

  test('shows unknown, empty or false for a required field whose column is null', async () => {
    expect(await inserted('domains', { domain: 'bare.example' })).toMatchObject({
      type: 'unknown',
      ssl_status: 'unknown',
      status: 'unknown',
    });
    expect(await inserted('cron', {})).toMatchObject({ schedule: '', enabled: false, next_run_at: null });
  });

  test('keeps every digit of a number beyond 2^53', async () => {
    await database.knex('accounts').insert({ username: 'big', disk_used_bytes: '9007199254740993' });
    expect((await panel.get('/api/v1/accounts.php', token)).text).toContain(
      '"disk_used_bytes":9007199254740993',
    );
  });

  test('keeps text as it is, whatever characters it holds', async () => {
    const name = 'Zoë 🐘 "quoted" \\ \u202e\u0085\u007f</script>';
    expect(await inserted('accounts', { username: 'zoe', name })).toMatchObject({ name });
  });

  test('answers an empty table with an empty list', async () => {
    await database.knex('jobs').del();
    expect(await items('jobs')).toEqual([]);
  });
});
