import { InvalidInput, type TokenRequest } from '../../../index';
import { bindingTo } from '../../../lib/tokens/TokenRecord';
import { storedProperties, tokenRecord } from '../../../lib/tokens/tokenRows';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const REQUEST = { name: 'billing', scopes: ['profile.read'] };

const BLANK = { name: '', note: null, scopes: [], allowedAddresses: [], rateLimit: null, expiresAt: null };

const WRONG_ACCOUNTS: readonly unknown[] = [
  undefined,
  null,
  '',
  ' \t ',
  'x'.repeat(129),
  'a\0b',
  'a\ud800b',
  7.5,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n ** 128n,
  true,
  ['7'],
  { id: 7 },
  new String('7'),
  Symbol('7'),
  ' 7 ',
];

/** The account of a request, its stored form, and the form in me.php. */
const ACCOUNTS: readonly [NonNullable<TokenRequest['accountId']>, string, string][] = [
  [7, '7', '7'],
  ['7', '7', '7'],
  [0, '0', '0'],
  [-0, '0', '0'],
  [-7, '-7', '-7'],
  [18446744073709551615n, '18446744073709551615', '18446744073709551615'],
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['9'.repeat(128), '9'.repeat(128), '9'.repeat(128)],
  ['007', '007', '"007"'],
  ['-0', '-0', '"-0"'],
  ['+7', '+7', '"+7"'],
  ['7.0', '7.0', '"7.0"'],
  ['1e3', '1e3', '"1e3"'],
  ['٧', '٧', '"٧"'],
  ['anna', 'anna', '"anna"'],
  ['Žluťoučký 💶', 'Žluťoučký 💶', '"Žluťoučký 💶"'],
  [
    '0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11',
    '0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11',
    '"0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11"',
  ],
];

describeEachEngine('A token of one account', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, rateLimit: { requests: 10_000 } });
  });

  const create = (request: object) =>
    panel.api.tokens.create({ ...REQUEST, ...request } as TokenRequest, AUTHOR);

  test.each(ACCOUNTS)('with the account %p stores %j and shows %s', async (accountId, kept, shown) => {
    const { token, record } = await create({ accountId });
    expect(record.accountId).toBe(kept);
    expect((await panel.api.tokens.get(record.id))?.accountId).toBe(kept);
    expect((await panel.api.tokens.list())[0]?.accountId).toBe(kept);
    expect((await panel.get(ME, token)).text).toContain(`"account_id":${shown},`);
  });

  test('has its account in its audit entries', async () => {
    const { record } = await create({ accountId: 7, expiresAt: null });
    await panel.api.tokens.revoke(record.id, AUTHOR);
    const entries = await panel.api.audit.list({ tokenId: record.id });
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['token.revoked', { name: 'billing', account_id: '7', accounts: ['7'], owner: null }],
      [
        'token.created',
        {
          ...REQUEST,
          note: null,
          account_id: '7',
          accounts: ['7'],
          owner: null,
          allowed_addresses: [],
          rate_limit: null,
          expires_at: null,
        },
      ],
    ]);
  });

  test('keeps its account when it is revoked', async () => {
    const { record } = await create({ accountId: 'anna' });
    expect(await panel.api.tokens.revoke(record.id, AUTHOR)).toMatchObject({ accountId: 'anna' });
  });

  test('is refused with InvalidInput if the account is no key, and nothing is written', async () => {
    const before = await database.knex('panel_api_tokens').pluck('id');
    for (const accountId of WRONG_ACCOUNTS) {
      const outcome = await create({ accountId }).catch((error) => error);
      expect([accountId, outcome]).toEqual([accountId, expect.any(InvalidInput)]);
      expect(outcome.input).toBe('accountId');
    }
    expect(await database.knex('panel_api_tokens').pluck('id')).toEqual(before);
  });
});

describeEachEngine('A token without an account', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  test('is shown without one in all places', async () => {
    const { token, record } = await panel.api.tokens.create(REQUEST, AUTHOR);
    expect(record.accountId).toBeNull();
    expect((await panel.get(ME, token)).body.data.account_id).toBeNull();
    await panel.api.tokens.revoke(record.id, AUTHOR);
    const entries = await panel.api.audit.list({ tokenId: record.id });
    expect(entries.map(({ details }) => details.account_id)).toEqual([null, null]);
  });
});

const stored = (id: string) =>
  storedProperties({ ...bindingTo([{ id, createdAt: null, username: null }]), ...BLANK }).accounts!;

describe('The account of a token', () => {
  const row = {
    id: 1,
    name: 'billing',
    note: null,
    prefix: 'pnl_abcdef',
    scopes: '*',
    accounts: stored('007'),
    addresses: null,
    limit: null,
    lineage: null,
    rotated: null,
    created: 1,
    creator: 'tester',
    expiry: null,
    used: null,
    client: null,
    revoked: null,
    revoker: null,
    origin: null,
    version: 1,
    clock: 2,
  };

  test.each([
    ['text', stored('007'), '007'],
    ['bytes', Buffer.from(stored('007')), '007'],
    ['null', null, null],
  ])('is read from a handle that returns %s', (_form, accounts, read) => {
    expect(tokenRecord({ ...row, accounts }).accountId).toBe(read);
  });

  test.each([undefined, 7, 7n, true, {}, '', '{"owner":false,"accounts":[]}', '{}', 'null'])(
    'is never guessed if a handle returns %p',
    (accounts) => {
      expect(() => tokenRecord({ ...row, accounts })).toThrow();
    },
  );

  test('still limits a token over a handle that leaves it out of every row', async () => {
    const database = await freshDatabase('sqlite');
    const knex = openHandle({ ...handleSettings(database), postProcessResponse: withoutAccounts });
    const [whole, lossy] = [await startPanel({ db: database.knex }), await startPanel({ db: knex })];
    for (const token of [await whole.token({ accountId: 7 }), await lossy.token({ accountId: 7 })]) {
      expect((await lossy.get(ME, token)).body.data.account_id).toBe(7);
    }
  });
});

function withoutAccounts(result: unknown): unknown {
  return Array.isArray(result) ? result.map((row) => ({ ...row, accounts: undefined })) : result;
}
