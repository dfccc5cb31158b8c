import load from '../demo/ispconfig/load';
import ispconfigSources from '../demo/ispconfig/sources';
import { operations } from '../routes';
import { freshDatabase, type TestDatabase } from './fixture/databases';
import { ispconfigItems } from './fixture/ispconfigItems';
import { startPanel, type TestPanel } from './fixture/panel';

describe('The mapping of ISPConfig', () => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase('mariadb');
    await load(database.knex);
    panel = await startPanel({
      db: database.knex,
      sources: ispconfigSources(database.knex),
      rateLimit: { requests: 10_000 },
    });
    token = await panel.token();
  });

  afterAll(async () => {
    await panel?.close();
    await database?.drop();
  });

  const items = async (path: string, bearer = token) => {
    const { status, body } = await panel.get(`/api/v1/${path}`, bearer);
    expect([path, status]).toEqual([path, 200]);
    return body.data.items;
  };
  const ids = async (path: string, bearer?: string) =>
    (await items(path, bearer)).map(({ id }: { id: unknown }) => id);

  test.each(Object.entries(ispconfigItems))('gives %s', async (name, expected) => {
    expect(await items(`${name}.php`)).toEqual(expected);
  });

  test('gives all eleven lists', () => {
    expect(Object.keys(ispconfigSources(database.knex))).toEqual(Object.keys(ispconfigItems));
    expect(Object.keys(ispconfigItems)).toHaveLength(11);
  });

  test.each([
    ['accounts.php?owner_id=10', [20]],
    ['accounts.php?suspend_reason=Cancelled', [40]],
    ['domains.php?account_id=30', [40, 70]],
    ['domains.php?parent_id=10', [30, 21, 51]],
    ['domains.php?website_id=1', [10, 21, 51]],
    ['domains.php?type=subdomain', [30, 51]],
    ['domains.php?type=primary', [10, 40, 60, 80, 32, 42]],
    ['domains.php?mail_enabled=true', [10, 32]],
    ['websites.php?account_id=20&status=active', [1, 3]],
    ['websites.php?runtime=static', [3, 6]],
    ['email.php?type=forwarder', [21]],
    ['email.php?type=alias', [11, 41]],
    ['email.php?type=mailbox&account_id=20', [10, 30]],
    ['databases.php?engine=mongodb', [3]],
    ['databases.php?website_id=1', [1]],
    ['ssl.php?type=acme', [3]],
    ['backups.php?scope=database', [20]],
    ['backups.php?account_id=20', [10, 11]],
    ['jobs.php?type=delete', [60]],
    ['jobs.php?type=os_update', [21]],
    ['cron.php?enabled=false', [3]],
    ['services.php?status=stopped', ['1-ftpserver']],
  ])('%s gives %j', async (path, expected) => {
    expect(await ids(path)).toEqual(expected);
  });

  test.each([
    ['domains.php', [10, 30, 21, 51, 32]],
    ['websites.php', [1, 3]],
    ['email.php', [10, 30, 11, 21, 31, 41, 12]],
    ['databases.php', [1]],
    ['ssl.php', [1, 3]],
    ['backups.php', [10, 11]],
    ['cron.php', [1, 2]],
  ])('a token of the account 20 reads of %s only %j', async (path, expected) => {
    const bound = await panel.token({ accountId: '20' });
    expect(await ids(path, bound)).toEqual(expected);
  });

  test('lets no secret leave', async () => {
    for (const { name } of operations) {
      const { text } = await panel.get(`/api/v1/${name}.php`, token);
      expect([name, text]).toEqual([name, expect.not.stringContaining('NEVERLEAVES')]);
    }
    expect(JSON.stringify(panel.log)).not.toContain('NEVERLEAVES');
  });
});
