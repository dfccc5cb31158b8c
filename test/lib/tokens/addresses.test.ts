import Koa from 'koa';
import { InvalidInput, type TokenRequest } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const REQUEST = { name: 'billing', scopes: ['*'] };

/** A spelling in a request, and the stored one. */
const SPELLINGS: readonly [string, string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['192.0.2.128/25', '192.0.2.128/25'],
  ['192.0.2.7/32', '192.0.2.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::/0', '::/0'],
  ['2001:0DB8::/32', '2001:db8::/32'],
  ['2001:db8:8000::/33', '2001:db8:8000::/33'],
  ['::1.2.3.4/128', '::1.2.3.4/128'],
  ['::1/128', '::1/128'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
];

const WRONG_ADDRESSES: readonly unknown[] = [
  '',
  ' ',
  ' 192.0.2.7',
  '192.0.2.7 192.0.2.8',
  '192.0.2.7,192.0.2.8',
  '192.0.2',
  '192.0.2.256',
  '192.0.02.7',
  '0300.0.2.7',
  '3221225991',
  '0xc0000207',
  '192.0.2.7\n',
  '192.0.2.7\0',
  '192.0.2.7:443',
  '[::1]',
  '::1%eth0',
  'fe80::1%1',
  'fe80::%eth0/10',
  'localhost',
  '*',
  '192.0.2.*',
  '192.0.2.0-192.0.2.255',
  '192.0.2.0/',
  '/24',
  '192.0.2.0/33',
  '192.0.2.0/-1',
  '192.0.2.0/024',
  '192.0.2.0/24/24',
  '192.0.2.0/255.255.255.0',
  '192.0.2.0/2e1',
  '192.0.2.7/24',
  '2001:db8::1/32',
  '2001:db8::/129',
  '::ffff:0:0/95',
  '::ffff:10.0.0.0/8',
  '::ffff:10.0.0.1/104',
  '١٩٢.0.2.7',
  'x'.repeat(10_000),
  undefined,
  null,
  7,
  ['192.0.2.7'],
  { toString: () => '192.0.2.7' },
];

describeEachEngine('The addresses of a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let proxied: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, rateLimit: { requests: 10_000 } });
    const app = new Koa();
    app.proxy = true;
    proxied = await startPanel(
      { db: database.knex, rateLimit: { requests: 10_000 }, httpsRequired: false },
      app,
    );
  });

  const create = (request: object) =>
    panel.api.tokens.create({ ...REQUEST, ...request } as TokenRequest, AUTHOR);

  /** The outcome of a request for which a trusted proxy reports this address. */
  const outcomeFrom = async (address: string, token: string) => {
    const { status, body } = await proxied.get(ME, token, { headers: { 'X-Forwarded-For': address } });
    return [status, body.error?.code ?? body.data.client_ip];
  };

  test.each(SPELLINGS)('written as %s are stored as %s', async (given, kept) => {
    const { record } = await create({ allowedAddresses: [given] });
    expect(record.allowedAddresses).toEqual([kept]);
    expect((await panel.api.tokens.get(record.id))?.allowedAddresses).toEqual([kept]);
    const [entry] = await panel.api.audit.list({ tokenId: record.id });
    expect(entry?.details.allowed_addresses).toEqual([kept]);
  });

  test('are stored once each and in their order', async () => {
    const allowedAddresses = ['192.0.2.8', '::ffff:192.0.2.7', '192.0.2.8', '192.0.2.7'];
    const { record } = await create({ allowedAddresses });
    expect(record.allowedAddresses).toEqual(['192.0.2.8', '192.0.2.7']);
  });

  test('are not limited if the list is empty or left out', async () => {
    for (const request of [{}, { allowedAddresses: [] }]) {
      const { token, record } = await create(request);
      expect(record.allowedAddresses).toEqual([]);
      expect((await panel.get(ME, token)).body.data.allowed_ips).toEqual([]);
    }
  });

  test('are at most a hundred', async () => {
    const addresses = Array.from(
      { length: 101 },
      (_, index) => `2001:db8:1111:2222:3333:4444:5555:${index + 1000}`,
    );
    expect((await create({ allowedAddresses: addresses.slice(1) })).record.allowedAddresses).toHaveLength(
      100,
    );
    await expect(create({ allowedAddresses: addresses })).rejects.toThrow('at most 100');
  });

  test('are refused with InvalidInput if one is invalid, and nothing is written', async () => {
    const before = await database.knex('panel_api_tokens').pluck('id');
    for (const wrong of WRONG_ADDRESSES) {
      const error = await create({ allowedAddresses: ['192.0.2.7', wrong] }).catch((reason) => reason);
      expect([wrong, error]).toEqual([wrong, expect.any(InvalidInput)]);
      expect(error.input).toBe('allowedAddresses');
      expect(error.message.length).toBeLessThan(200);
    }
    for (const list of [undefined, null, '192.0.2.7', { 0: '192.0.2.7', length: 1 }, new Set(['192.0.2.7'])])
      await expect(create({ allowedAddresses: list })).rejects.toThrow(InvalidInput);
    expect(await database.knex('panel_api_tokens').pluck('id')).toEqual(before);
  });

  test('that are wrong are named one by one', async () => {
    const allowedAddresses = ['192.0.2.7', 'nonsense\u202e', '10.0.0.5/24', 'fe80::1%eth0', '10.0.0.0/33'];
    const error = await create({ allowedAddresses }).catch((reason) => reason);
    expect(error.message).toBe(
      '"nonsense\\u{202e}" is not an address, such as 192.0.2.7, or a network, such as 2001:db8::/32. ' +
        '"10.0.0.5/24" combines an address with a prefix length: write 10.0.0.0/24 for the network or ' +
        '10.0.0.5 for the address. ' +
        '"fe80::1%eth0" contains a zone, which an allowed address must not have. ' +
        '"10.0.0.0/33" has an invalid prefix length.',
    );
  });

  test('allow a request from one of them, and the answer lists them', async () => {
    const { token } = await create({ allowedAddresses: ['2001:db8::/32', '127.0.0.0/8'] });
    const { status, body } = await panel.get(ME, token);
    expect([status, body.data.allowed_ips, body.data.client_ip]).toEqual([
      200,
      ['2001:db8::/32', '127.0.0.0/8'],
      '127.0.0.1',
    ]);
  });

  test('refuse a request from any other address with 403 and the address that was seen', async () => {
    const { token, record } = await create({ allowedAddresses: ['192.0.2.7'] });
    const { status, body, headers } = await panel.get(ME, token);
    expect([status, body.error]).toEqual([403, { code: 'ip_not_allowed', address: '127.0.0.1' }]);
    expect(headers.get('RateLimit')).toBeNull();
    // The request is no use of the token, and is not counted.
    expect((await panel.api.tokens.get(record.id))?.lastUsedAt).toBeNull();
    expect(await database.knex('panel_api_rate_limits').where({ token_id: record.id })).toEqual([]);
  });

  test('refuse a request with its address and the error code in its log line', async () => {
    const lines = (await panel.requestLines(0)).length;
    const { token, record } = await create({ allowedAddresses: ['192.0.2.7'] });
    await panel.get(ME, token);
    const line = (await panel.requestLines(lines + 1)).at(-1);
    expect(line?.fields).toMatchObject({
      token_id: record.id,
      token_name: 'billing',
      error_code: 'ip_not_allowed',
      status: 403,
      address: '127.0.0.1',
    });
  });

  test('are not checked for a revoked token', async () => {
    const { token, record } = await create({ allowedAddresses: ['192.0.2.7'] });
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect((await panel.get(ME, token)).body.error).toEqual({ code: 'token_revoked' });
  });

  test.each([
    ['192.0.2.7', ['192.0.2.7'], 200, '192.0.2.7'],
    ['192.0.2.8', ['192.0.2.7'], 403, 'ip_not_allowed'],
    ['::ffff:192.0.2.7', ['192.0.2.7'], 200, '192.0.2.7'],
    ['::ffff:c000:207', ['192.0.2.0/24'], 200, '192.0.2.7'],
    ['192.0.2.7', ['::ffff:192.0.2.7'], 200, '192.0.2.7'],
    ['192.0.2.7', ['::/0'], 403, 'ip_not_allowed'],
    ['2001:db8::1', ['0.0.0.0/0'], 403, 'ip_not_allowed'],
    ['2001:DB8:0::1', ['2001:db8::/32'], 200, '2001:db8::1'],
    ['2001:db9::1', ['2001:db8::/32'], 403, 'ip_not_allowed'],
    ['192.0.2.127', ['192.0.2.128/25'], 403, 'ip_not_allowed'],
    ['192.0.2.128', ['192.0.2.128/25'], 200, '192.0.2.128'],
    ['203.0.113.9', ['192.0.2.7', '2001:db8::/32', '203.0.113.0/24'], 200, '203.0.113.9'],
    ['fe80::1%eth0', ['fe80::/10'], 200, 'fe80::1%eth0'],
    ['nonsense', ['0.0.0.0/0', '::/0'], 403, 'ip_not_allowed'],
    ['192.0.2.7, 203.0.113.9', ['203.0.113.9'], 403, 'ip_not_allowed'],
  ])('a request from %s with %j ends with %i', async (address, allowedAddresses, status, outcome) => {
    const { token } = await create({ allowedAddresses });
    expect(await outcomeFrom(address, token)).toEqual([status, outcome]);
  });

  test.each(['', ' ', 'nonsense', '0.0.0.0/', '127.0.0.0/33', '%', '127.0.0.1,192.0.2.7'])(
    'that are %j in the table allow no address',
    async (text) => {
      const { token, record } = await create({ allowedAddresses: ['127.0.0.1'] });
      await database.knex('panel_api_tokens').where({ id: record.id }).update({ allowed_addresses: text });
      expect((await panel.get(ME, token)).body.error.code).toBe('ip_not_allowed');
      expect(await panel.api.tokens.list()).not.toEqual([]);
    },
  );
});
