import { checkSources } from '../../../fixture/command/checkSources';
import { describeEachEngine } from '../../../fixture/databases';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

const constants = { type: { value: 'primary' }, ssl_status: { value: 'none' } } as const;

/** A condition as JavaScript may write it. */
type Given = Readonly<Record<string, unknown>>;

describeEachEngine('The `where` of a source', (engine) => {
  const panels = sourcePanels(engine);
  const [yes, no] = engine === 'postgresql' ? [true, false] : [1, 0];

  beforeEach(async () => {
    const columns = {
      domain: 'string',
      status: 'string',
      kept: 'boolean',
      account_id: 'integer',
      plan: 'decimal',
      code: 'string',
      deleted_at: 'datetime',
    } as const;
    await panels.table('domains', columns, [
      { domain: 'a.example', status: 'active', kept: yes, account_id: 1, plan: 5, code: '9' },
      { domain: 'b.example', status: 'Active', kept: yes, account_id: 1, plan: 6, code: '09' },
      { domain: 'c.example', status: 'active ', kept: null, account_id: 2, plan: 5, code: null },
      { domain: 'd.example', status: 'gone', kept: no, account_id: 2, plan: null, code: '9' },
      {
        domain: 'e.example',
        status: 'active',
        kept: yes,
        account_id: 1,
        plan: 7,
        code: '9',
        deleted_at: '2026-06-12 00:00:00',
      },
    ]);
  });

  const start = (where: Given, fields: object = constants) =>
    panels.start({ domains: { where, fields } as never });
  const startQuery = (where: Given) => {
    const columns = ['id', 'domain', 'status', 'account_id'].map((name) => [name, `d.${name}`]);
    const fields = { ...constants, ...Object.fromEntries(columns) };
    return panels.start({
      domains: { query: (knex: typeof panels.knex) => knex('domains as d'), where, fields } as never,
    });
  };

  test.each<[given: Given, kept: string]>([
    [{ status: 'active' }, 'ae'],
    [{ status: { not: 'active' } }, 'bcd'],
    [{ status: ['active', 'gone'] }, 'ade'],
    [{ status: { not: ['active', 'gone'] } }, 'bc'],
    [{ status: 'ACTIVE' }, ''],
    [{ deleted_at: null }, 'abcd'],
    [{ deleted_at: { not: null } }, 'e'],
    [{ kept: true }, 'abe'],
    [{ kept: false }, 'd'],
    [{ kept: { not: true } }, 'cd'],
    [{ kept: { not: 0 } }, 'abce'],
    [{ kept: [0, null] }, 'cd'],
    [{ kept: { not: [false, null] } }, 'abe'],
    [{ account_id: 1 }, 'abe'],
    [{ account_id: '1' }, 'abe'],
    [{ account_id: { not: [1, 7] } }, 'cd'],
    [{ plan: 5 }, 'ac'],
    [{ plan: { not: [5, null] } }, 'be'],
    [{ code: 9 }, 'ade'],
    [{ code: { not: 9 } }, 'bc'],
    [{ code: { not: null } }, 'abde'],
    [{ status: ['active', 'gone'], deleted_at: null, account_id: 1 }, 'a'],
  ])('of %j keeps the rows %s, of a table as of a query', async (where, kept) => {
    const qualified = Object.fromEntries(Object.entries(where).map(([name, value]) => [`d.${name}`, value]));
    for (const { items } of [await start(where), await startQuery(qualified)])
      expect((await items('domains')).map(({ domain }) => domain[0]).join('')).toBe(kept);
  });

  test('holds for pages, counts, filters, ids and searches', async () => {
    for (const { get, items } of [
      await start({ deleted_at: null, status: { not: 'gone' } }),
      await startQuery({ 'd.deleted_at': null, 'd.status': { not: 'gone' } }),
    ]) {
      const page = await get('domains.php?limit=2');
      const last = await get(`domains.php?limit=2&cursor=${page.body.data.next_cursor}`);
      expect([...page.body.data.items, ...last.body.data.items].map(({ id }) => id)).toEqual([1, 2, 3]);
      expect(last.body.data.next_cursor).toBeNull();
      expect((await items('domains', '?order=desc')).map(({ id }) => id)).toEqual([3, 2, 1]);
      expect((await get('domains.php?count=type')).body.data).toMatchObject({
        total: 3,
        counts: { primary: 3 },
      });
      expect(await items('domains', '?id=5')).toEqual([]);
      expect(await items('domains', '?status=gone')).toEqual([]);
      expect(await items('domains', '?search=e')).toEqual([]);
      expect(await items('domains', '?account_id=2')).toMatchObject([{ id: 3 }]);
    }
  });

  test('holds for the counts of an account and for the accounts that another one owns', async () => {
    await panels.table('accounts', { username: 'string', owner_id: 'integer', state: 'integer' }, [
      { username: 'reseller', state: 1 },
      { username: 'gone', owner_id: 1, state: 9 },
    ]);
    const { panel, get, items } = await panels.start({
      accounts: {
        where: { state: { not: 9 } },
        fields: {
          status: { value: 'active' },
          role: { value: 'customer' },
          domain_count: { count: 'domains' },
        },
      },
      domains: { fields: constants },
    });
    expect(await items('accounts')).toMatchObject([{ id: 1, domain_count: 3 }]);
    const token = await panel.token({ accountId: 1, owner: true });
    const { body } = await get('domains.php?fields=id', token);
    expect(body.data.items.map(({ id }: { id: number }) => id)).toEqual([1, 2, 5]);
  });

  test('leaves out a time of zeros, which only MariaDB holds', async () => {
    if (engine !== 'mariadb') return;
    await panels.knex.transaction(async (session) => {
      await session.raw("set session sql_mode = ''");
      await session('domains').where({ id: 5 }).update({ deleted_at: '0000-00-00 00:00:00' });
      await session.raw('set session sql_mode = default');
    });
    const ids = async (where: Given) => (await (await start(where)).items('domains')).map(({ id }) => id);
    expect(await ids({ deleted_at: '0000-00-00 00:00:00' })).toEqual([5]);
    expect(await ids({ deleted_at: { not: [null, '0000-00-00'] } })).toEqual([]);
  });

  test('selects none of its columns', async () => {
    const { items, statements } = await start({ code: { not: 'x' } });
    expect(await items('domains', '?limit=2')).toHaveLength(2);
    expect(statements.join()).not.toMatch(/select[^;]*\bcode\b[^;]*\bfrom\b/i);
  });

  const checked = async (source: object) => {
    const lists = await checkSources({ db: panels.knex, sources: { domains: source } as never });
    return lists.find(({ resource }) => resource === 'domains');
  };

  test('of a column that does not exist is a fault of the whole list', async () => {
    const { get } = await start({ state: 1 });
    expect((await get('domains.php')).status).toBe(501);
    expect(await checked({ where: { state: 1 }, fields: constants })).toMatchObject({
      state: 'missing',
      missing: ['The table domains has no column state (where).'],
    });
    expect(
      await checked({
        query: (knex: typeof panels.knex) => knex('domains as d'),
        where: { 'd.state': 1 },
        fields: { id: 'd.id', domain: 'd.domain', status: 'd.status', ...constants },
      }),
    ).toMatchObject({ missing: ['The table domains has no column state (where).'] });
  });

  test('of a value that its column cannot hold is a fault of the whole list', async () => {
    if (engine === 'sqlite') return;
    const { get } = await start({ account_id: ['1', 'none'] });
    expect((await get('domains.php')).status).toBe(503);
    const list = await checked({ where: { account_id: { not: ['1', 'none'] } }, fields: constants });
    expect(list?.missing).toEqual([
      expect.stringMatching(
        /^The column account_id of the table domains has the type int(?:eger)?, which cannot hold "none" \(where\)\.$/,
      ),
    ]);
  });

  test('silences what concerns the rows that it leaves out', async () => {
    const status = { column: 'status', values: { active: 'active' } };
    const found = async (where?: Given) => {
      const source = { fields: { ...constants, status }, ...(where ? { where } : {}) };
      return (await checked(source))?.warnings
        .map(({ code }) => code)
        .filter((code) => /deleted|unmapped/.test(code));
    };
    expect(await found()).toEqual(['unmapped', 'deleted_rows']);
    expect(await found({ deleted_at: null })).toEqual(['unmapped']);
    expect(await found({ deleted_at: null, status: 'active' })).toEqual([]);
  });
});
