import { InvalidInput, type TokenPageQuery } from '../../../index';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { HeldTables } from '../../fixture/faults/heldTables';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';
import { insertToken } from '../../fixture/tokenRows';
import { until } from '../../fixture/until';

const NOW = Math.floor(Date.now() / 1000);
const HOUR = 3600;
const DAY = 24 * HOUR;
/** The accounts of a token, as they are stored. */
const boundTo = (...ids: (string | null)[]) => ({
  accounts:
    ids[0] === null
      ? null
      : JSON.stringify({
          owner: false,
          accounts: ids.map((id) => [Buffer.from(id!).toString('hex'), null, '["37",']),
        }),
});
const USED = { last_used_at: NOW };

/** Tokens in the order in which they are created, with the filters that return each. */
const TOKENS: readonly [name: string, filters: string, row: object][] = [
  ['never expires', 'active', {}],
  ['expires in an hour', 'active expiring', { expires_at: NOW + HOUR }],
  ['expired', 'ended', { expires_at: NOW - 1 }],
  ['revoked', 'ended', { revoked_at: NOW }],
  ['revoked while it was to expire', 'ended', { revoked_at: NOW, expires_at: NOW + HOUR }],
  ['revoked after it had expired', 'ended', { revoked_at: NOW, expires_at: NOW - HOUR }],
  ['expires in 14 days', 'active expiring', { expires_at: NOW + 14 * DAY }],
  ['expires in 15 days', 'active', { expires_at: NOW + 15 * DAY }],
  ['old and never used', 'active unused', { created_at: NOW - 91 * DAY }],
  ['old and used', 'active', { created_at: NOW - 91 * DAY, ...USED }],
  [
    'not used lately, expires',
    'active expiring unused',
    { last_used_at: NOW - 91 * DAY, expires_at: NOW + HOUR },
  ],
  ['not used lately, expired', 'ended', { last_used_at: NOW - 91 * DAY, expires_at: NOW - HOUR }],
];

const WRONG_QUERIES: readonly unknown[] = [
  { limit: 0 },
  { limit: 1001 },
  { limit: 1.5 },
  { limit: '10' },
  { limit: null },
  { cursor: '' },
  { cursor: 'x' },
  { cursor: null },
  { cursor: 7 },
  { cursor: '💶' },
  { cursor: 'x'.repeat(10_000) },
  ...['null', '[]', '[1]'].map((json) => ({ cursor: Buffer.from(json).toString('base64url') })),
  { search: 7 },
  { search: null },
  { search: 'a\0b' },
  { search: 'x'.repeat(129) },
  { filter: 'all' },
  { filter: '' },
  { filter: null },
  { filter: 'constructor' },
  { scope: '' },
  { scope: null },
  { scope: 'domains' },
  { scope: 'Domains.read' },
  { order: '' },
  { order: null },
  { order: 'id' },
  { order: 'constructor' },
  { accountId: undefined },
  { accountId: '' },
  { accountId: ' 7' },
  { accountId: 1.5 },
  { accountId: 2 ** 53 },
  { accountId: ['7'] },
];

describeEachEngine('The pages of tokens', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
    await panel.api.tokens.list();
  });

  beforeEach(() => database.knex('panel_api_tokens').delete());

  const insert = async (name: string, values: object = {}) => {
    const row = { name, prefix: 'pnl_aB_%!x', scopes: '*', created_at: NOW - 30 * DAY, ...values };
    await insertToken(database.knex, row);
  };

  const insertAll = async () => {
    for (const [name, , row] of TOKENS) await insert(name, row);
  };

  const page = (query?: TokenPageQuery) => panel.api.tokens.page(query);

  const names = async (query?: TokenPageQuery) => (await page(query)).tokens.map(({ name }) => name);

  /** The names on each page. */
  const walk = async (query: TokenPageQuery) => {
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null && pages.length < 100; ) {
      const { tokens, next } = await page({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(tokens.map(({ name }) => name));
      cursor = next;
    }
    return pages;
  };

  const NEWEST_FIRST = TOKENS.map(([name]) => name).toReversed();

  test('hold the newest token first, whatever its state', async () => {
    await insertAll();
    expect(await names()).toEqual(NEWEST_FIRST);
    expect(await page()).toMatchObject({ next: null });
    const [first] = (await page()).tokens;
    expect(first).toEqual({ ...(await panel.api.tokens.get(first!.id)), readAt: expect.any(Number) });
  });

  test('are not the list of all tokens, which takes no query', async () => {
    const list = (query: object): Promise<unknown> =>
      Reflect.apply(panel.api.tokens.list, panel.api.tokens, [query]);
    await expect(list({ accountId: 7 })).rejects.toThrow(InvalidInput);
  });

  test.each([1, 2, 5, 11, 12, 13])(
    'of %i tokens hold each token once and nothing after the last',
    async (limit) => {
      await insertAll();
      const pages = await walk({ limit });
      expect(pages.flat()).toEqual(NEWEST_FIRST);
      expect(pages.map(({ length }) => length)).toEqual(
        Array.from({ length: Math.ceil(12 / limit) }, (_, index) => Math.min(limit, 12 - index * limit)),
      );
    },
  );

  test.each(['active', 'expiring', 'unused', 'ended'] as const)(
    'hold only the tokens that the filter %s returns, and they are counted',
    async (filter) => {
      await insertAll();
      const found = TOKENS.filter(([, filters]) => filters.split(' ').includes(filter)).map(([name]) => name);
      expect((await walk({ limit: 2, filter })).flat()).toEqual(found.toReversed());
      expect((await panel.api.tokens.countFilters())[filter]).toBe(found.length);
      const searched = found.filter((name) => name.includes('used'));
      expect(await names({ filter, search: 'used' })).toEqual(searched.toReversed());
    },
  );

  test('have tokens in three states, which are counted', async () => {
    await insertAll();
    expect(await panel.api.tokens.countStates()).toEqual({ active: 7, expired: 2, revoked: 3 });
  });

  test('are empty if there is no token', async () => {
    expect(await page()).toEqual({ tokens: [], next: null });
  });

  test('have fifty tokens by default', async () => {
    for (let index = 0; index < 51; index += 1) await insert(String(index));
    const { tokens, next } = await page();
    expect([tokens.length, next]).toEqual([50, expect.any(String)]);
    expect(await names({ cursor: next! })).toEqual(['0']);
  });

  test('continue at the same place when tokens were created and deleted in between', async () => {
    await insertAll();
    const { next } = await page({ limit: 5 });
    await insert('newest');
    for (const deleted of [NEWEST_FIRST[4]!, NEWEST_FIRST[6]!])
      await database.knex('panel_api_tokens').where({ name: deleted }).delete();
    expect(await names({ cursor: next! })).toEqual([NEWEST_FIRST[5], ...NEWEST_FIRST.slice(7)]);
  });

  test.each([
    ['part of the name', 'bill', ['Billing', 'my billing']],
    ['part of the name in capitals', 'BILL', ['Billing', 'my billing']],
    ['part of the name with spaces around it', ' billing ', ['Billing', 'my billing']],
    ['a percent sign', '100%', ['100%']],
    ['an underscore', 'a_b', ['a_b']],
    ['an exclamation mark', '!', ['wow!']],
    ['a backslash', '\\', ['back\\slash']],
    ['a quote', "O'B", ["O'Brien"]],
    ['letters beyond ASCII', '💶', ['💶']],
    ['text that no token has', 'nothing', []],
    ['SQL', "' OR 1=1 --", []],
    ['the beginning of the token', 'pnl_xY', ['back\\slash']],
    ['the beginning of the token in small letters', 'pnl_xy', ['back\\slash']],
    ['the middle of the token', '_xY', []],
  ])('are searched for %s', async (_what, search, found) => {
    for (const name of ['Billing', 'my billing', '100%', '1000', 'a_b', 'axb', 'wow!', "O'Brien", '💶'])
      await insert(name);
    await insert('back\\slash', { prefix: 'pnl_xYz123' });
    expect((await names({ search })).toSorted()).toEqual(found.toSorted());
  });

  test('are searched in every state, page after page', async () => {
    await insertAll();
    const found = NEWEST_FIRST.filter((name) => name.includes('revoked'));
    expect((await walk({ limit: 1, search: 'revoked' })).flat()).toEqual(found);
  });

  test('are searched for an id', async () => {
    await insertAll();
    const [revoked] = await database.knex('panel_api_tokens').where({ name: 'revoked' }).pluck('id');
    await insert(`#${revoked}`);
    expect(await names({ search: `#${revoked}` })).toEqual(['revoked']);
    expect(await page({ search: `#${revoked}` })).toMatchObject({ next: null });
    for (const search of ['#999999999', '#4294967296', '#0']) expect(await names({ search })).toEqual([]);
  });

  test('are searched for a text that only contains an id', async () => {
    await insert('first');
    const [id] = await database.knex('panel_api_tokens').pluck('id');
    for (const name of [`x#${id}`, `#${id}x`]) {
      await insert(name);
      expect(await names({ search: name })).toEqual([name]);
    }
  });

  test('refuse a wrong limit, cursor, search or filter with InvalidInput', async () => {
    await insertAll();
    for (const query of WRONG_QUERIES) {
      const outcome = await page(query as TokenPageQuery).catch((error) => error);
      expect([query, outcome]).toEqual([query, expect.any(InvalidInput)]);
      expect(Object.keys(query as object)).toEqual([outcome.input]);
    }
  });

  test.each([
    ['an id that no token can have', 0, 2 ** 31],
    ['an id that is no number', 0, 'length'],
    ['a text instead of a number', 1, '1'],
    ['neither an active nor an ended token', 2, 2],
  ])('refuse a cursor that was made for %s', async (_what, place, value) => {
    await insertAll();
    const { next } = await page({ limit: 1 });
    const members: unknown[] = JSON.parse(Buffer.from(next!, 'base64url').toString());
    const encoded = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');
    await expect(page({ cursor: encoded(members) })).resolves.toMatchObject({ next: null });
    const refused = await page({ cursor: encoded(members.with(place, value)) }).catch((error) => error);
    expect(refused).toBeInstanceOf(InvalidInput);
    expect(refused.message).toBe('The cursor is not from a page of these tokens.');
  });

  test('refuse the cursor of another search or filter', async () => {
    await insertAll();
    const { next } = await page({ limit: 1 });
    await expect(page({ cursor: next!, search: '1' })).rejects.toThrow(InvalidInput);
    await expect(page({ cursor: next!, filter: 'active' })).rejects.toThrow(InvalidInput);
  });

  test('hold only the tokens of an account, compared by each of its characters', async () => {
    for (const account of ['7', '07', '7.0', 'ann', 'Ann', 'änn', 'ann ', null])
      await insert(`of ${account}`, boundTo(account));
    await insert('of 8 and 77', boundTo('8', '77'));
    await insert('of 7, ended', { ...boundTo('7'), revoked_at: NOW });
    for (const accountId of ['7', 7, 7n]) expect(await names({ accountId })).toEqual(['of 7, ended', 'of 7']);
    for (const accountId of ['07', '7.0', 'ann', 'Ann', 'änn'])
      expect([accountId, await names({ accountId })]).toEqual([accountId, [`of ${accountId}`]]);
    for (const accountId of ['8', '77']) expect(await names({ accountId })).toEqual(['of 8 and 77']);
    expect(await names({ accountId: null })).toEqual(['of null']);
    expect(await names({ accountId: 'other' })).toEqual([]);
    expect(await names({ accountId: 7, filter: 'active', search: 'of' })).toEqual(['of 7']);
    expect(await walk({ accountId: 7, limit: 1 })).toEqual([['of 7, ended'], ['of 7']]);
  });

  test('refuse an unknown key, and the cursor of another account', async () => {
    for (const id of ['7', '7', '8']) await insert(`of ${id}`, boundTo(id));
    const unknown = ['accountID', 'account_id', 'account'].map((key) => [
      { limit: 5, [key]: 7 },
      `Unknown property ${key}. Did you mean accountId? `,
    ]);
    for (const [query, named] of [...unknown, [null, ''], ['7', '']]) {
      const outcome = await page(query as TokenPageQuery).catch((error) => error);
      expect([query, outcome]).toEqual([query, expect.any(InvalidInput)]);
      expect(outcome.message).toBe(
        `${named}A page of tokens may have only limit, cursor, filter, order, search, scope, accountId, origin.`,
      );
    }
    const { next } = await page({ limit: 1, accountId: 7 });
    for (const query of [{}, { accountId: 8 }, { accountId: null }])
      await expect(page({ ...query, cursor: next! })).rejects.toThrow(InvalidInput);
  });

  test('hold only the tokens that may read a scope, and their states are counted', async () => {
    const scopes = [
      'settings.read',
      'domains.read settings.read email.read',
      'domains.read settings.read',
      '*',
    ];
    for (const one of [...scopes, 'email.read', 'settings.read domains.read'])
      await insert(one, { scopes: one });
    await insert('ended', { scopes: 'settings.read', revoked_at: NOW });
    const expected = ['ended', 'settings.read domains.read', ...scopes.toReversed()];
    expect((await walk({ scope: 'settings.read', limit: 2 })).flat()).toEqual(expected);
    expect(await names({ scope: '*' })).toEqual(['*']);
    for (const search of [' Settings.READ ', 'SETTINGS'])
      expect(await names({ search })).toEqual(await names({ scope: 'settings.read' }));
    expect(await names({ search: 'settings.rea' })).not.toContain('*');
    const both = { scope: 'settings.read', filter: 'active', search: 'email' } as const;
    expect(await names(both)).toEqual(['*', scopes[1]]);
    expect(await panel.api.tokens.countFilters({ scope: 'settings.read' })).toMatchObject({
      active: 5,
      ended: 1,
    });
    expect(await panel.api.tokens.countFilters({ scope: 'domains.read', search: 'email' })).toMatchObject({
      active: 2,
      ended: 0,
    });
    const count = panel.api.tokens.countFilters({ filter: 'active' } as object);
    await expect(count).rejects.toThrow('A count of tokens may have only search, scope, accountId, origin.');
  });

  test.each([
    ['newest', 'nobody 42 Bert anna | gone ends'],
    ['name', '42 anna Bert nobody | ends gone'],
    ['used', 'Bert anna nobody 42 | gone ends'],
    ['expiry', '42 nobody Bert anna | ends gone'],
    ['requests', '42 nobody anna Bert | ends gone'],
  ] as const)('are ordered by %s, active tokens first, each token once', async (order, expected) => {
    const rows: readonly (readonly [name: string, row: object, requests?: number])[] = [
      ['ends', { expires_at: NOW - HOUR }, 9],
      ['gone', { revoked_at: NOW, last_used_at: NOW - 5 }],
      ['anna', { last_used_at: NOW - DAY }, 7],
      ['Bert', { last_used_at: NOW - 60 }],
      ['42', { expires_at: NOW + HOUR }, 5_000_000_000],
      ['nobody', { expires_at: NOW + DAY }, 7],
    ];
    for (const [name, row] of rows) await insert(name, row);
    await database.knex('panel_api_usage_tokens').delete();
    for (const [name, , requests] of rows) {
      const [token_id] = await database.knex('panel_api_tokens').where({ name }).pluck('id');
      if (requests) await database.knex('panel_api_usage_tokens').insert({ token_id, requests, settled: 0 });
    }
    const all = expected.replace('| ', '').split(' ');
    for (const limit of [1, 3, 4, 6]) expect((await walk({ order, limit })).flat()).toEqual(all);
    expect((await walk({ order, limit: 1, filter: 'active', search: 'n' })).flat()).toEqual(
      all.slice(0, 4).filter((name) => name.includes('n')),
    );
    const { next } = await page({ order, limit: 1 });
    await expect(page({ cursor: next! })).rejects.toThrow(InvalidInput);
  });

  test('hold a token that panel.api created', async () => {
    const { record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    expect(await page()).toEqual({ tokens: [{ ...record, readAt: expect.any(Number) }], next: null });
  });
});

test('A page of all tokens does not wait for slow reads, as every other page does', async () => {
  const database = await freshDatabase('mariadb');
  const settings = handleSettings(database);
  const alone = () => openHandle({ ...settings, pool: { min: 1, max: 1 } });
  const tables = new HeldTables('mariadb', alone(), alone());
  // Two slots for reads, of which a token has one, and one for the module's own statements.
  const db = openHandle({ ...settings, pool: { min: 0, max: 6 } });
  await createPanelTables(db, ['domains']);
  const panel = await startPanel({ db, deadlineMs: 10_000 });
  const { tokens } = panel.api;
  const readers = [await panel.token(), await panel.token()];
  const read = (token: string) => panel.get('/api/v1/domains.php', token);
  // The first read finds the columns of the table, for which others wait.
  await read(readers[0]!);
  await tables.hold(['domains']);
  let held = 0;
  db.on('query', ({ sql }: { readonly sql: string }) => {
    if (sql.includes('domains')) held += 1;
  });
  const reads = readers.map(read);
  await until(() => held === readers.length);
  const others = [
    { search: 'x' },
    { filter: 'active' },
    { order: 'name' },
    { accountId: null },
    { scope: '*' },
  ];
  const done: object[] = [];
  const waiting = others.map(async (query) => {
    await tokens.page(query as TokenPageQuery);
    done.push(query);
  });
  expect((await tokens.page()).tokens).toHaveLength(readers.length);
  expect((await tokens.page({ limit: 1, order: 'newest' })).tokens).toHaveLength(1);
  expect(done).toEqual([]);
  await tables.release();
  await Promise.all([...reads, ...waiting]);
  expect(done).toHaveLength(others.length);
});
