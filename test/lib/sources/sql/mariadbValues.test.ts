import { freshDatabase, type TestDatabase } from '../../../fixture/databases';
import { leniently } from '../../../fixture/leniently';
import { startPanel, type TestPanel } from '../../../fixture/panel';

describe('What only MariaDB and MySQL hold', () => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase('mariadb');
    await database.knex.raw(`CREATE TABLE domains (id INT PRIMARY KEY, domain VARBINARY(64), type VARCHAR(16),
      ssl_status ENUM('active', 'none'), status VARCHAR(16), dns_managed BIT(1), dnssec_enabled CHAR(1),
      mail_enabled ENUM('y', 'n'), registration_expires_at DATE, created_at TIMESTAMP NULL, updated_at DATETIME)`);
    panel = await startPanel({ db: database.knex, rateLimit: { requests: 10_000 } });
    token = await panel.token();
  });

  const inserted = async (values: string) => {
    await leniently(database.knex, (knex) =>
      knex.raw(`REPLACE INTO domains SET id = 1, type = 'primary', ssl_status = 'none', ${values}`),
    );
    const { body } = await panel.get('/api/v1/domains.php', token);
    return body.data.items[0];
  };

  test('zero dates read as null', async () => {
    const values =
      "registration_expires_at = '0000-00-00', created_at = '0000-00-00 00:00:00', updated_at = '0000-00-00 00:00:00'";
    expect(await inserted(values)).toMatchObject({
      registration_expires_at: null,
      created_at: null,
      updated_at: null,
    });
  });

  test('a date keeps its day whatever the time zones', async () => {
    expect(await inserted("registration_expires_at = '2027-01-31'")).toMatchObject({
      registration_expires_at: '2027-01-31T23:59:59+00:00',
    });
  });

  test('a timestamp keeps its moment whatever the time zone of the session', async () => {
    await database.knex.raw("SET GLOBAL time_zone = '+09:00'");
    try {
      await database.knex.transaction(async (transaction) => {
        await transaction.raw("SET SESSION time_zone = '+00:00'");
        await transaction.raw("UPDATE domains SET created_at = '2026-06-12 00:00:00'");
      });
      const { body } = await panel.get('/api/v1/domains.php', token);
      expect(body.data.items[0].created_at).toBe('2026-06-12T00:00:00+00:00');
    } finally {
      await database.knex.raw("SET GLOBAL time_zone = 'SYSTEM'");
    }
  });

  test.each([
    ["dns_managed = b'1'", { dns_managed: true }],
    ["dns_managed = b'0'", { dns_managed: false }],
    ["dnssec_enabled = 'Y'", { dnssec_enabled: true }],
    ["dnssec_enabled = '0'", { dnssec_enabled: false }],
    ["mail_enabled = 'y'", { mail_enabled: true }],
    ["mail_enabled = 'n'", { mail_enabled: false }],
    ["dnssec_enabled = '?'", { dnssec_enabled: null }],
  ])('%s reads as %j', async (values, expected) => {
    expect(await inserted(values)).toMatchObject(expected);
  });

  test('a setting is shown only under the very key that is allowed, whatever the collation', async () => {
    await database.knex.raw(
      'CREATE TABLE settings (`key` VARCHAR(64), value TEXT) COLLATE utf8mb4_general_ci',
    );
    await database
      .knex('settings')
      .insert(['panel.name', 'PANEL.NAME', 'pänel.name', 'panel.name '].map((key) => ({ key, value: key })));
    const other = await startPanel({ db: database.knex, sources: { settings: { keys: ['panel.name'] } } });
    const { body } = await other.get('/api/v1/settings.php', token);
    expect(body.data.items.map(({ value }: { value: string }) => value)).toEqual(['panel.name']);
    await other.close();
  });

  test('bytes that are no UTF-8 are shown as replacement characters', async () => {
    expect(await inserted("domain = UNHEX('61FF62')")).toMatchObject({ domain: 'a\ufffdb' });
  });
});
