import { randomBytes } from 'node:crypto';
import { InvalidInput, type TokenPageQuery } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const NOW = Math.floor(Date.now() / 1000);
const HOUR = 3600;

/** Tokens in the order in which they are created, each with its place in the list. */
const TOKENS: readonly { place: number; expires_at?: number; revoked_at?: number }[] = [
  { place: 3 },
  { place: 7, expires_at: NOW - HOUR },
  { place: 10, revoked_at: NOW - HOUR },
  { place: 2 },
  { place: 6, expires_at: NOW + HOUR },
  { place: 5, expires_at: NOW + HOUR },
  { place: 8, revoked_at: NOW, expires_at: NOW - HOUR },
  { place: 4, expires_at: NOW + 2 * HOUR },
  { place: 9, revoked_at: NOW - HOUR, expires_at: NOW + HOUR },
  { place: 1 },
  { place: 11, revoked_at: NOW - 2 * HOUR },
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
  ...['null', '[0,0]', '["length",0,1,""]', '[3,0,1,""]', '[0,0.5,1,""]', '[0,0,4294967296,""]'].map(
    (json) => ({
      cursor: Buffer.from(json).toString('base64url'),
    }),
  ),
  { search: 7 },
  { search: null },
  { search: 'a\0b' },
  { search: 'x'.repeat(129) },
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
    const row = { name, prefix: 'pnl_aB_%!x', scopes: '*', created_at: NOW, created_by: 'tester', ...values };
    await database.knex('panel_api_tokens').insert({ hash: randomBytes(32), ...row });
  };

  const insertAll = async () => {
    for (const { place, ...values } of TOKENS) await insert(String(place), values);
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

  const PLACES = TOKENS.map((_, index) => String(index + 1));

  test('hold those that never expire, then by expiry, then by revocation, the latest first', async () => {
    await insertAll();
    expect(await names()).toEqual(PLACES);
    expect(await page()).toMatchObject({ next: null });
    const [first] = (await page()).tokens;
    expect(first).toEqual({ ...(await panel.api.tokens.get(first!.id)), readAt: expect.any(Number) });
  });

  test.each([1, 2, 3, 4, 5, 10, 11, 12])(
    'of %i tokens hold each token once and nothing after the last',
    async (limit) => {
      await insertAll();
      const pages = await walk({ limit });
      expect(pages.flat()).toEqual(PLACES);
      expect(pages.map(({ length }) => length)).toEqual(
        Array.from({ length: Math.ceil(11 / limit) }, (_, index) => Math.min(limit, 11 - index * limit)),
      );
    },
  );

  test('hold each token once if all were revoked or expire in the same second', async () => {
    for (let index = 0; index < 7; index += 1) await insert(`r${index}`, { revoked_at: NOW });
    for (let index = 0; index < 7; index += 1) await insert(`e${index}`, { expires_at: NOW });
    const found = (await walk({ limit: 3 })).flat();
    expect(found).toEqual(['e6 e5 e4 e3 e2 e1 e0', 'r6 r5 r4 r3 r2 r1 r0'].join(' ').split(' '));
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
    await database.knex('panel_api_tokens').where({ name: '5' }).delete();
    await database.knex('panel_api_tokens').where({ name: '7' }).delete();
    expect(await names({ cursor: next! })).toEqual(['6', '8', '9', '10', '11']);
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
    await insert('other');
    expect((await walk({ limit: 1, search: '1' })).flat()).toEqual(['1', '10', '11']);
  });

  test('are searched for an id', async () => {
    await insertAll();
    const [revoked] = await database.knex('panel_api_tokens').where({ name: '8' }).pluck('id');
    await insert(`#${revoked}`);
    expect(await names({ search: `#${revoked}` })).toEqual(['8']);
    expect(await page({ search: `#${revoked}` })).toMatchObject({ next: null });
    for (const search of ['#999999999', '#4294967296', '#0']) expect(await names({ search })).toEqual([]);
  });

  test('refuse a wrong limit, cursor or search with InvalidInput', async () => {
    await insertAll();
    for (const query of WRONG_QUERIES) {
      const outcome = await page(query as TokenPageQuery).catch((error) => error);
      expect([query, outcome]).toEqual([query, expect.any(InvalidInput)]);
      expect(Object.keys(query as object)).toEqual([outcome.input]);
    }
  });

  test('refuse the cursor of another search', async () => {
    await insertAll();
    const { next } = await page({ limit: 1 });
    await expect(page({ cursor: next!, search: '1' })).rejects.toThrow(InvalidInput);
  });

  test('hold a token that panel.api created', async () => {
    const { record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    expect(await page()).toEqual({ tokens: [{ ...record, readAt: expect.any(Number) }], next: null });
  });
});
