import type { Knex } from 'knex';
import type { SourcePart, Sources } from '../../../index';
import type { FunctionQuery } from '../../../lib/sources/SourceOptions';
import { describeOneEngine } from '../../fixture/databases';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

const fixed = { type: { value: 'deploy' }, status: { value: 'queued' } } as const;

describeOneEngine('A list of several parts', (engine) => {
  const panels = sourcePanels(engine);

  const person = (name: string, rest = {}) => ({ name, ...rest });
  const people = async () => {
    await panels.table(
      'admins',
      { name: 'string' },
      ['root', 'ann'].map((name) => person(name)),
    );
    await panels.table('clients', { name: 'string', reseller: 'integer', state: 'string' }, [
      person('bob', { reseller: 1, state: 'ok' }),
      person('cid', { reseller: 2, state: 'off' }),
      person('dan', { reseller: null, state: 'ok' }),
    ]);
  };
  const accounts: Sources['accounts'] = [
    { table: 'admins', fields: { username: 'name', name: false, role: { value: 'admin' } } },
    {
      table: 'clients',
      fields: {
        username: 'name',
        name: false,
        owner_id: { column: 'reseller', part: 0 },
        status: { column: 'state', values: { ok: 'active' } },
      },
    },
  ];
  const sites = async () => {
    await people();
    await panels.table('sites', { name: 'string', client: 'integer', parent: 'integer' }, [
      { name: 'a.example', client: 1, parent: 0 },
      { name: 'b.example', client: 2, parent: 1 },
    ]);
    await panels.table('subsites', { name: 'string', client: 'integer', parent: 'integer' }, [
      { name: 'c.example', client: 1, parent: 2 },
    ]);
  };
  const domain = (table: string, fields = {}): SourcePart<'domains'> => ({
    table,
    fields: {
      domain: 'name',
      type: { value: 'primary' },
      ssl_status: { value: 'none' },
      status: { value: 'active' },
      account_id: { column: 'client', part: 1 },
      ...fields,
    },
  });
  const domains: Sources['domains'] = [
    domain('sites', { parent_id: { column: 'parent', null: 0, part: 0 } }),
    domain('subsites', { parent_id: { column: 'parent', part: 0 } }),
  ];

  test('has integer ids that contain the part, and the parts one after another', async () => {
    await people();
    const { items } = await panels.start({ accounts });
    expect((await items('accounts')).map(({ id, username }) => [id, username])).toEqual([
      [10, 'root'],
      [20, 'ann'],
      [11, 'bob'],
      [21, 'cid'],
      [31, 'dan'],
    ]);
  });

  test('has null for a field that only another part supplies', async () => {
    await people();
    const { items } = await panels.start({ accounts });
    const [root, , bob] = await items('accounts');
    expect(root).toEqual({ id: 10, username: 'root', role: 'admin', status: null, owner_id: null });
    expect(bob).toEqual({ id: 11, username: 'bob', role: null, status: 'active', owner_id: 10 });
  });

  test('has an empty list for a list that only another part supplies', async () => {
    await panels.table('a', { name: 'string', more: 'string' }, [{ name: 'x.example', more: 'y.example' }]);
    const fields = { domain: 'name', status: { value: 'active' } } as const;
    const { items } = await panels.start({
      websites: [
        { table: 'a', fields: { ...fields, aliases: 'more' } },
        { table: 'a', fields },
      ],
    });
    expect((await items('websites')).map(({ aliases }) => aliases)).toEqual([['y.example'], []]);
  });

  test('has text ids that contain the part', async () => {
    await panels.table('runs', { id: 'native varchar(20) primary key' }, [{ id: 'b' }, { id: 'a:0' }]);
    const { items } = await panels.start({
      jobs: [
        { table: 'runs', fields: fixed },
        { table: 'runs', fields: fixed },
      ],
    });
    const whole = await items('jobs');
    expect(whole.map(({ id }) => id)).toEqual(['0:a:0', '0:b', '1:a:0', '1:b']);
    expect(await items('jobs', '?id=1:a:0,0:b,2:b,b')).toEqual([whole[1], whole[2]]);
  });

  test('is referred to by its own ids, in the part that is named', async () => {
    await sites();
    const { items } = await panels.start({ accounts, domains });
    expect(
      (await items('domains')).map(({ id, account_id, parent_id }) => [id, account_id, parent_id]),
    ).toEqual([
      [10, 11, null],
      [20, 21, 10],
      [11, 11, 20],
    ]);
  });

  test.each([
    ['domains', 'id'],
    ['domains', 'account_id'],
    ['domains', 'parent_id'],
    ['domains', 'domain'],
    ['accounts', 'id'],
    ['accounts', 'owner_id'],
    ['accounts', 'status'],
    ['accounts', 'role'],
  ])('%s are found by %s as shown in the whole list', async (resource, field) => {
    await sites();
    const { items } = await panels.start({ accounts, domains });
    const whole = await items(resource);
    const values = new Set(whole.map((item) => item[field]).filter((value) => value !== null));
    // The mapping of a word names all that it can be.
    const others = field === 'status' || field === 'role' ? [] : ['1', '2', '12', '-11', '0'];
    for (const value of [...values, ...others]) {
      expect(await items(resource, `?${field}=${value}`)).toEqual(
        whole.filter((item) => item[field] !== null && String(item[field]) === String(value)),
      );
    }
  });

  test('does not read a part without the filtered field', async () => {
    await people();
    const { items, statements } = await panels.start({ accounts });
    await items('accounts');
    const before = statements.length;
    await items('accounts', '?status=active&limit=5');
    expect(statements.slice(before).join()).not.toContain('admins');
  });

  test.each([1, 2, 3])('is the same in pages of %i', async (limit) => {
    await people();
    const { items, get } = await panels.start({ accounts });
    const found: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await get(`accounts.php?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      found.push(...body.data.items);
      cursor = body.data.next_cursor ?? '';
    } while (cursor !== '');
    expect(found).toEqual(await items('accounts'));
  });

  test('limits a token of one account to its rows, in every part', async () => {
    await sites();
    const { panel, get } = await panels.start({ accounts, domains });
    const token = await panel.token({ accountId: '11' });
    const ids = async (resource: string) =>
      (await get(`${resource}.php`, token)).body.data.items.map(({ id }: { id: number }) => id);
    expect(await ids('domains')).toEqual([10, 11]);
    expect(await ids('accounts')).toEqual([11]);
  });

  test('that lacks the table of one answers 501, and says which', async () => {
    await people();
    const { get, inspected } = await panels.start({ accounts: [...(accounts as []), { table: 'gone' }] });
    expect((await get('accounts.php')).status).toBe(501);
    expect(await inspected('accounts')).toMatchObject({ detail: 'Part 2: The table gone does not exist.' });
  });

  test('that is one alone has the ids of its table', async () => {
    await people();
    const { items } = await panels.start({
      accounts: [{ table: 'clients', fields: { username: 'name' } }],
      domains: { ...domain('clients', { account_id: { column: 'reseller', part: 0 } }) },
    });
    expect((await items('accounts')).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect((await items('domains', '?account_id=2')).map(({ id }) => id)).toEqual([2]);
  });

  describe('whose ids are unique already', () => {
    const unique = (table: string) => ({ table, uniqueIds: true, fields: fixed }) as const;
    const ids = 'native varchar(20) primary key';
    const jobs: Sources['jobs'] = [unique('runs'), unique('tasks')];

    test('keeps them unchanged', async () => {
      await panels.table('runs', { id: ids }, [{ id: 'b' }, { id: 'a' }]);
      await panels.table('tasks', { id: ids }, [{ id: 'c' }]);
      const { items, get, inspected } = await panels.start({ jobs });
      expect((await items('jobs')).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      expect((await items('jobs', '?id=c,a')).map(({ id }) => id)).toEqual(['a', 'c']);
      const { data } = (await get('jobs.php?limit=2')).body;
      const rest = (await get(`jobs.php?cursor=${data.next_cursor}`)).body.data;
      expect(rest.items.map(({ id }: { id: string }) => id)).toEqual(['c']);
      expect(await inspected('jobs')).toMatchObject({ status: 'pass' });
    });

    test('may be of one table whose rows refer to different parts', async () => {
      await people();
      await panels.table('sites', { name: 'string', owner: 'integer', kind: 'string' }, [
        { name: 'a.example', owner: 1, kind: 'client' },
        { name: 'b.example', owner: 2, kind: 'admin' },
        { name: 'c.example', owner: 2, kind: 'client' },
      ]);
      const { table: _, fields } = domain('sites') as { table: string; fields: object };
      const owned = (kind: string, part: number) => ({
        query: (knex: Knex) => knex('sites').where({ kind }),
        uniqueIds: true,
        fields: { ...fields, id: 'id', account_id: { column: 'owner', part } },
      });
      const { items, panel, get } = await panels.start({
        accounts,
        domains: [owned('admin', 0), owned('client', 1)],
      } as Sources);
      expect((await items('domains')).map(({ id, account_id }) => [id, account_id])).toEqual([
        [2, 20],
        [1, 11],
        [3, 21],
      ]);
      const token = await panel.token({ accountId: '21' });
      expect((await get('domains.php', token)).body.data.items).toMatchObject([{ id: 3 }]);
    });

    test('leads to a warning if they are not', async () => {
      await panels.table('runs', { id: ids }, [{ id: 'a' }, { id: 'x' }]);
      await panels.table('tasks', { id: ids }, [{ id: 'x' }]);
      const { inspected } = await panels.start({ jobs });
      expect((await inspected('jobs')).detail).toBe(
        'Parts 0 and 1 contain rows with the same id: remove `uniqueIds` from all parts.',
      );
    });

    test('is referred to by them', async () => {
      await panels.table('admins', { name: 'string' }, [person('root')]);
      await panels.table('clients', { id: 'integer', name: 'string' }, [person('bob', { id: 7 })]);
      await panels.table('sites', { name: 'string', client: 'integer' }, [{ name: 'a.example', client: 7 }]);
      const part = (table: string) => ({ table, uniqueIds: true, fields: { username: 'name' } }) as const;
      const { part: _, ...client } = { column: 'client', part: 1 };
      const { panel, get } = await panels.start({
        accounts: [part('admins'), part('clients')],
        domains: domain('sites', { account_id: client }),
      });
      const token = await panel.token({ accountId: '7' });
      expect((await get('domains.php', token)).body.data.items).toMatchObject([{ account_id: 7 }]);
      expect((await get('accounts.php', token)).body.data.items).toMatchObject([{ id: 7 }]);
    });
  });

  test('is not served with references to itself by the name of the field, which name no part', async () => {
    await panels.table('sites', { name: 'string', client: 'integer', parent_id: 'integer' });
    const { get, inspected } = await panels.start({ accounts, domains: [domain('sites'), domain('sites')] });
    expect((await get('domains.php')).status).toBe(503);
    expect((await inspected('domains')).detail).toContain(
      'Part 0: The column parent_id of the table sites holds ids of a list of several parts: describe the field parent_id with the `part` that they belong to.',
    );
  });

  test('may have a function among them, which is asked in its own ids', async () => {
    await people();
    const asked: object[] = [];
    const rows = (query: object) => {
      asked.push(query);
      return [
        { id: 7, username: 'eve', owner_id: 1 },
        { id: 8, username: 'fay', owner_id: 2 },
      ];
    };
    const { items, panel, get } = await panels.start({
      accounts: [
        ...(accounts as []),
        { rows, fields: ['id', 'username', 'owner_id'], ids: 'integer' },
      ] as Sources['accounts'],
    });
    const whole = await items('accounts');
    expect(whole.slice(-2).map(({ id, owner_id }) => [id, owner_id])).toEqual([
      [72, 12],
      [82, 22],
    ]);
    expect(await items('accounts', '?id=72')).toEqual([whole.at(-2)]);
    expect(asked.at(-1)).toMatchObject({ filters: { id: ['7'] }, accountId: null });
    const token = await panel.token({ accountId: '82' });
    expect((await get('accounts.php', token)).body.data.items).toEqual([whole.at(-1)]);
    expect(asked.at(-1)).toMatchObject({ filters: { id: ['8'] }, accountId: '8' });
  });

  test('has every page of functions that apply a limit and no filter', async () => {
    const part = (first: number) => ({
      fields: ['id', 'type', 'status'] as const,
      rows: ({ limit }: FunctionQuery) =>
        Array.from({ length: 30 }, (_, index) => ({
          id: `${first + index}`,
          type: 'a',
          status: index % 7 === 6 ? 'failed' : 'done',
        })).slice(0, limit ?? undefined),
    });
    const { items, get } = await panels.start({ jobs: [part(10), part(50)] });
    const failed = (await items('jobs')).filter(({ status }) => status === 'failed');
    expect(failed).toHaveLength(8);
    const found: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await get(`jobs.php?status=failed&limit=3${cursor && `&cursor=${cursor}`}`);
      found.push(...body.data.items);
      cursor = body.data.next_cursor ?? '';
    } while (cursor !== '');
    expect(found).toEqual(failed);
  });

  test('of settings has the allowed keys of a function that applies only a limit', async () => {
    const rows = ({ limit }: FunctionQuery) =>
      Array.from({ length: 30 }, (_, index) => ({ key: `k${10 + index}`, value: index })).slice(
        0,
        limit ?? undefined,
      );
    const { items } = await panels.start({
      settings: { rows, fields: ['key', 'value'], keys: ['k12', 'k37', 'k38'] },
    });
    expect((await items('settings', '?limit=2')).map(({ key }) => key)).toEqual(['k12', 'k37']);
  });

  test('does not call a function for rows that it cannot have', async () => {
    let asked = 0;
    const rows = () => {
      asked += 1;
      return [{ id: 'x', type: 'a', status: 'b' }];
    };
    const fields = ['id', 'type', 'status'] as const;
    const { items } = await panels.start({
      jobs: [
        { rows: () => [], fields },
        { rows, fields },
      ],
    });
    expect(await items('jobs', '?id=0:x')).toEqual([]);
    expect(asked).toBe(0);
  });

  test('of settings keeps the names of their keys', async () => {
    await panels.table('config', { key: 'string', value: 'string', id: 'integer' }, [
      { key: 'a', value: 'x', id: 1 },
    ]);
    await panels.table('options', { key: 'string', value: 'string', id: 'integer' }, [
      { key: 'b', value: 'y', id: 1 },
    ]);
    const { items } = await panels.start({
      settings: [
        { table: 'config', keys: ['a'] },
        { table: 'options', keys: ['b'] },
      ],
    });
    expect((await items('settings')).map(({ key, value }) => [key, value])).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ]);
    expect(await items('settings', '?key=b')).toHaveLength(1);
  });
});
