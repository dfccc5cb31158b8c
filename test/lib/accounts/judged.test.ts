import type { Knex } from 'knex';
import { InvalidInput } from '../../../index';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { AUTHOR } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';

const OLD = '2024-01-01 00:00:00';
const NEW = '2026-01-01 00:00:00';

/** The accounts 1 to 3, each with two jobs; account 3 without the time of its creation. */
async function setUp(knex: Knex): Promise<void> {
  await createPanelTables(knex, ['accounts', 'jobs', 'domains']);
  await insertAccounts(knex);
  for (const id of [1, 2, 3])
    await knex('jobs').insert([1, 2].map((job) => ({ id: 10 * id + job, account_id: id, type: `of ${id}` })));
}

const insertAccounts = (knex: Knex) =>
  knex('accounts').insert(
    [1, 2, 3].map((id) => ({
      id,
      username: `user${id}`,
      status: 'active',
      created_at: id === 3 ? null : OLD,
    })),
  );

const PATHS = [
  'jobs.php',
  'jobs.php?limit=1',
  'jobs.php?account_id=99',
  'jobs.php?count=true',
  'accounts.php',
  'me.php',
  'openapi.php',
];

describeEachEngine('A token of one account', (engine) => {
  let list: ListPanel;
  let accounts: (row: object, id?: number) => Promise<unknown>;
  let token: string;

  beforeAll(async () => {
    list = await startListPanel(engine, setUp);
    accounts = (row, id = 1) => list.database.knex('accounts').where({ id }).update(row);
  });

  beforeEach(async () => {
    await list.database.knex('accounts').delete();
    await insertAccounts(list.database.knex);
    token = await list.bound(1);
  });

  /** The status and code of each path; one of both if all have the same. */
  const answers = async (bearer = token) => {
    const found = new Set<string>();
    for (const path of PATHS) {
      const { status, body } = await list.get(path, bearer);
      found.add([status, body.error?.code].filter(Boolean).join(' '));
    }
    return [...found].join(', ');
  };

  test('is served while the account is itself, whatever else of it changes', async () => {
    expect(await answers()).toBe('200');
    await accounts({ username: 'renamed', email: 'a@b.example', status: 'pending' });
    expect(await answers()).toBe('200');
    expect(await list.keys('jobs.php', token)).toEqual([11, 12]);
  });

  test('is refused with the next request after the account is deleted', async () => {
    await list.database.knex('accounts').where({ id: 1 }).delete();
    expect(await answers()).toBe('403 account_gone');
  });

  test('is refused if the id is given to another account, until it is bound anew', async () => {
    await accounts({ created_at: NEW });
    expect(await answers()).toBe('403 account_changed');
    const [record] = await list.panel.api.tokens.list();
    const changed = await list.panel.api.tokens.update(record!.id, { accountId: 1 }, AUTHOR);
    expect(changed?.version).toBe(record!.version + 1);
    expect(await answers()).toBe('200');
    const [entry] = await list.panel.api.audit.list({ tokenId: record!.id });
    expect(entry?.details).toEqual({
      name: 'test',
      accounts: { from: ['1 user1 2024-01-01T00:00:00+00:00'], to: ['1 user1 2026-01-01T00:00:00+00:00'] },
    });
  });

  test('stays refused as a duplicate after the id was given to another account, unless that is named', async () => {
    const { tokens } = list.panel.api;
    const [{ id } = { id: 0 }] = await tokens.list();
    await accounts({ created_at: NEW });
    expect(await answers((await tokens.duplicate(id, {}, AUTHOR))?.token)).toBe('403 account_changed');
    expect(await answers((await tokens.duplicate(id, { accountId: 1 }, AUTHOR))?.token)).toBe('200');
  });

  test('knows its account by the login name if the time of its creation is unknown', async () => {
    const third = await list.bound(3);
    expect(await answers(third)).toBe('200');
    await accounts({ created_at: NEW }, 3);
    expect(await answers(third)).toBe('200');
    await accounts({ username: 'other' }, 3);
    expect(await answers(third)).toBe('403 account_changed');
    await accounts({ created_at: null, username: null });
    expect(await answers()).toBe('403 account_changed');
  });

  test('is refused while the account is suspended, unless the settings allow it', async () => {
    await accounts({ status: 'suspended' });
    expect(await answers()).toBe('403 account_suspended');
    await list.panel.api.settings.change({ suspendedAccounts: 'allow' }, AUTHOR);
    expect(await answers()).toBe('200');
    await list.panel.api.settings.change({ suspendedAccounts: 'refuse' }, AUTHOR);
    await accounts({ status: 'active' });
    expect(await answers()).toBe('200');
  });

  test('is served without a list of accounts only if it was bound without one', async () => {
    const listless = await list.beside({ accounts: false });
    const free = await listless.bound(1);
    expect(await listless.keys('jobs.php', free)).toEqual([11, 12]);
    expect(await answers(free)).toBe('403 account_changed');
  });

  test('is created only for an account that the list has and can tell apart', async () => {
    await accounts({ created_at: null, username: '' });
    for (const accountId of [1, 4, '1 ', '01', '1.0', 'user2'])
      await expect(list.bound(accountId)).rejects.toThrow(InvalidInput);
    const failing = async () => {
      throw new Error('canary');
    };
    const unreadable = await list.beside({ accounts: { fields: ['id', 'username'], rows: failing } });
    await expect(unreadable.bound(2)).rejects.toThrow('The list of accounts cannot be read at the moment.');
    expect((await unreadable.get('jobs.php', token)).status).toBe(503);
  });

  test('gets no row of a function that was read after its id was given to another account', async () => {
    const row = (id: number, type: string) => ({ id, type, status: 'queued', account_id: 1 });
    const rows = async function* () {
      for (let id = 1; id <= 12; id += 1) yield row(id, 'x'.repeat(100_000));
      await accounts({ created_at: NEW });
      yield row(13, 'last');
    };
    const fields = ['id', 'type', 'status', 'account_id'] as const;
    const mixed = await list.beside({ jobs: [{ table: 'jobs' }, { ids: 'integer', fields, rows }] });
    const answer = await fetch(`${mixed.panel.url}/api/v1/jobs.php`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('is not served if the list of accounts cannot be read', async () => {
    await list.database.knex.schema.dropTable('accounts');
    list.panel.tablesChanged();
    for (const path of PATHS.filter((one) => one !== 'accounts.php'))
      expect([path, (await list.get(path, token)).status]).toEqual([path, 503]);
    const listless = await list.beside({ accounts: false });
    expect((await listless.get('jobs.php', token)).status).toBe(503);
  });
});

describeOneEngine('The look-up of an account', (engine) => {
  const FIELDS = ['id', 'username', 'status', 'created_at'] as const;
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, setUp);
  });

  test('counts no rows of other lists', async () => {
    const rows = jest.fn(() => []);
    const counting = await list.beside({
      accounts: {
        query: (handle) =>
          handle('accounts')
            .groupBy('id', ...FIELDS)
            .select(FIELDS),
        fields: {
          ...Object.fromEntries(FIELDS.map((name) => [name, name])),
          website_count: { count: 'websites' },
        },
      },
      websites: { fields: ['id', 'domain', 'account_id', 'status'], rows },
    });
    expect(await counting.keys('jobs.php', await list.bound(1))).toEqual([11, 12]);
    expect(rows).not.toHaveBeenCalled();
  });
});

describeOneEngine(
  'A token of one account, whose id is given to another one while its request is answered',
  (engine) => {
    let list: ListPanel;
    let token: string;
    /** What happens when rows are asked for, and when they have been read. */
    let before: () => Promise<unknown>;
    let after: () => Promise<unknown>;

    const rows = async function* () {
      await before();
      // The panel may read each row when it is asked for it, from tables that change meanwhile.
      for (let id = 1; id <= 20; id += 1)
        yield { id, type: 'x'.repeat(100_000), status: 'queued', account_id: 1 };
      await after();
      yield { id: 21, type: 'last', status: 'queued', account_id: 1 };
    };

    const give = () => list.database.knex('accounts').where({ id: 1 }).update({ created_at: NEW });

    beforeEach(async () => {
      before = after = async () => undefined;
      list = await startListPanel(engine, setUp, {
        jobs: { ids: 'integer', fields: ['id', 'type', 'status', 'account_id'], rows },
      });
      token = await list.bound(1);
    });

    test('is refused although it was its account when the rows were asked for', async () => {
      before = give;
      for (const path of ['jobs.php', 'jobs.php?limit=2', 'jobs.php?count=true']) {
        await list.database.knex('accounts').where({ id: 1 }).update({ created_at: OLD });
        const { body } = await list.get(path, token);
        expect([path, body.error]).toMatchObject([path, { code: 'account_changed' }]);
      }
    });

    test('has its answer broken off before the first row of the other account', async () => {
      after = give;
      const answer = await fetch(`${list.panel.url}/api/v1/jobs.php`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      let text = '';
      const decoder = new TextDecoder();
      const read = async () => {
        for await (const chunk of answer.body!) text += decoder.decode(chunk, { stream: true });
      };
      await expect(read()).rejects.toThrow();
      expect(text).not.toContain('last');
    });

    test('is not told of a fault in the rows of the other account', async () => {
      const faulty = await list.beside({
        jobs: {
          fields: ['id', 'type', 'status', 'account_id'],
          rows: async () => {
            await give();
            return ['x', 'x'].map((id) => ({ id, account_id: 1 }));
          },
        },
      });
      for (const path of ['jobs.php', 'jobs.php?limit=2']) {
        await list.database.knex('accounts').where({ id: 1 }).update({ created_at: OLD });
        expect([path, (await faulty.get(path, token)).body.error.code]).toEqual([path, 'account_changed']);
      }
    });
  },
);
