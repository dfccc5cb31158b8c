import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import load from '../../demo/ispconfig/load';
import ispconfigSources from '../../demo/ispconfig/sources';
import { operations } from '../../routes';
import { Page, ROOT } from '../docs/Page';
import { CONFIGURATIONS, panelApi } from '../fixture/command/panelApi';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { describedParameters } from '../fixture/describedParameters';
import { ispconfigFilters, ispconfigItems, ispconfigOwned } from '../fixture/ispconfigItems';
import { lintDocument } from '../fixture/lintDocument';
import { startPanel, type TestPanel } from '../fixture/panel';

type Item = Readonly<Record<string, unknown>>;

const SECRET = 'NEVERLEAVES';
const lists = Object.keys(ispconfigItems);

describe('The mapping of ISPConfig', () => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let wholes: ReadonlyMap<string, readonly Item[]>;

  beforeAll(async () => {
    database = await freshDatabase('mariadb');
    await load(database.knex);
    panel = await startPanel({
      db: database.knex,
      sources: ispconfigSources(database.knex),
      rateLimit: { requests: 10_000 },
    });
    token = await panel.token();
    wholes = new Map(
      await Promise.all(lists.map(async (name) => [name, await items(`${name}.php`)] as const)),
    );
  });

  const data = async (path: string, bearer = token) => {
    const { status, body } = await panel.get(`/api/v1/${path}`, bearer);
    expect([path, status]).toEqual([path, 200]);
    return body.data;
  };
  const items = async (path: string, bearer?: string): Promise<readonly Item[]> =>
    (await data(path, bearer)).items;
  const whole = (name: string) => wholes.get(name) ?? [];
  const pagesOf = async (name: string, bearer?: string) => {
    const walked: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: Item[]; next_cursor: string | null } = await data(
        `${name}.php?limit=2${cursor && `&cursor=${cursor}`}`,
        bearer,
      );
      walked.push(...page.items);
      cursor = page.next_cursor;
    }
    return walked;
  };

  test('serves all eleven lists', () => {
    expect(Object.keys(ispconfigSources(database.knex))).toEqual(lists);
    expect(lists).toHaveLength(11);
  });

  describe.each(lists)('serves of %s', (name) => {
    test('every item', () => {
      expect(whole(name)).toEqual(ispconfigItems[name]);
    });

    test('the same items in pages', async () => {
      expect(await pagesOf(name)).toEqual(whole(name));
    });

    test('the matching items for each value of each filter', async () => {
      for (const field of ispconfigFilters[name] ?? []) {
        const values = [...new Set(whole(name).flatMap((item) => item[field] ?? []))].map(String);
        for (const wanted of [...values.map((value) => [value]), values]) {
          const path = `${name}.php?${field}=${encodeURIComponent(wanted.join())}`;
          const having = whole(name).filter(
            (item) => item[field] !== null && wanted.includes(String(item[field])),
          );
          expect([path, having.length]).not.toEqual([path, 0]);
          expect([path, await items(path)]).toEqual([path, having]);
        }
      }
    });
  });

  test.each([
    ['accounts.php?status=suspended&role=reseller', [40]],
    ['accounts.php?role=admin&status=unknown', []],
    ['domains.php?website_id=1', [10, 21, 51]],
    ['domains.php?parent_id=10&type=alias', [21]],
    ['email.php?address=news@shop.example', [12]],
    ['email.php?account_id=20&type=mailbox', [10, 30]],
    ['backups.php?website_id=1', [10]],
    ['jobs.php?status=queued,failed', [20, 50, 70, 11, 31]],
    ['jobs.php?status=unknown', [80]],
  ])('%s returns %j', async (path, expected) => {
    expect((await items(path)).map(({ id }) => id)).toEqual(expected);
  });

  test('lets the module count what belongs to a client, over lists of several parts', async () => {
    const counts = {
      website_count: ['websites', { status: 'active' }],
      domain_count: ['domains', {}],
      mailbox_count: ['email', { type: 'mailbox' }],
      database_count: ['databases', {}],
    } as const;
    const counted = Object.entries(counts).map(([field, [count, where]]) => [field, { count, where }]);
    const sources = ispconfigSources(database.knex);
    const [clients, admins] = sources.accounts as readonly [{ fields: object }, object];
    const parts = [{ ...clients, fields: { ...clients.fields, ...Object.fromEntries(counted) } }, admins];
    const other = await startPanel({
      db: database.knex,
      sources: { ...sources, accounts: parts } as typeof sources,
      rateLimit: { requests: 10_000 },
    });
    const { body } = await other.get('/api/v1/accounts.php', await other.token());
    for (const [field, [list, where]] of Object.entries(counts)) {
      const found = whole(list).filter((item) =>
        Object.entries(where).every(([name, value]) => item[name] === value),
      );
      const expected = whole('accounts').map(({ id, role }) =>
        role === 'admin' ? null : found.filter(({ account_id }) => account_id === id).length,
      );
      expect([field, body.data.items.map((item: Item) => item[field])]).toEqual([field, expected]);
      expect(new Set(expected).size).toBeGreaterThan(2);
    }
  });

  // A customer, and an administrator, who owns nothing.
  test.each([20, 11])('shows a token of account %i only the rows of that account', async (account) => {
    const bound = await panel.token({ accountId: String(account) });
    for (const name of ispconfigOwned) {
      const owner = name === 'accounts' ? 'id' : 'account_id';
      const own = whole(name).filter((item) => item[owner] === account);
      expect([name, await items(`${name}.php`, bound)]).toEqual([name, own]);
      expect([name, await pagesOf(name, bound)]).toEqual([name, own]);
      expect([name, await items(`${name}.php?${owner}=10,30,40`, bound)]).toEqual([name, []]);
    }
  });

  test('refuses a token of one account the lists without an owner', async () => {
    const bound = await panel.token({ accountId: '20' });
    for (const name of lists.filter((list) => !ispconfigOwned.includes(list))) {
      const { status, body } = await panel.get(`/api/v1/${name}.php`, bound);
      expect([name, status, body.error.code]).toEqual([name, 403, 'account_forbidden']);
    }
  });

  test('has an OpenAPI document without an error, with exactly these filters', async () => {
    const { document } = await data('openapi.php');
    expect(await lintDocument(document)).toEqual([]);
    const general = /^(?:limit|cursor|order|fields|search|count|sum)$|_(?:since|before|min|max)$/;
    const described = lists.map((name) => [
      name,
      describedParameters(document, `/api/v1/${name}.php`)
        .map((parameter) => parameter.name)
        .filter((parameter) => !general.test(parameter)),
    ]);
    expect(Object.fromEntries(described)).toEqual(ispconfigFilters);
  });

  test('passes panel-api check without a warning', async () => {
    const config = join(CONFIGURATIONS, 'ispconfig.cjs');
    const { code, stdout, stderr } = await panelApi(database.url, ['check', '--json', '--config', config], {
      env: { TEST_DATABASE: database.url },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(
      lists.map((resource) => ({
        resource,
        state: 'served',
        fields: Object.keys(whole(resource)[0] ?? {}),
        missing: [],
        warnings: [],
        rows: whole(resource).length,
        all_rows: true,
      })),
    );
  });

  test('can be copied as its page shows, with the indexes that it names', async () => {
    const { blocks } = new Page('demo/ispconfig/README.md');
    const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
    const folder = mkdtempSync(join(ROOT, 'test', 'demo', 'copied-'));
    try {
      symlinkSync(join(ROOT, 'demo', 'ispconfig', 'sources'), join(folder, 'sources'));
      writeFileSync(join(folder, 'database.js'), 'module.exports = { db: null, logger: null };');
      writeFileSync(join(folder, 'panel-api.config.js'), textOf('js panel-api.config.js'));
      expect(Object.keys(require(join(folder, 'panel-api.config.js')).sources)).toEqual(lists);
    } finally {
      rmSync(folder, { recursive: true });
    }
    for (const statement of textOf('sql mariadb').split(/;\n/).filter(Boolean))
      await database.knex.raw(statement);
  });

  test('exposes no secret', async () => {
    for (const { name } of operations) {
      const { text } = await panel.get(`/api/v1/${name}.php`, token);
      expect([name, text]).toEqual([name, expect.not.stringContaining(SECRET)]);
    }
    expect(JSON.stringify(panel.log)).not.toContain(SECRET);
  });
});
