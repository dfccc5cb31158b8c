import Koa from 'koa';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

/** What a proxy reports in X-Forwarded-For, and the client's address in it. */
const WRITTEN: readonly (readonly [string, string])[] = [
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:50123', '192.0.2.7'],
  ['203.0.113.9, 192.0.2.7:443', '192.0.2.7'],
  ['"192.0.2.7:443"', '192.0.2.7'],
  ['[192.0.2.7]:443', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7:443', '192.0.2.7'],
  ['[::FFFF:192.0.2.7]:443', '192.0.2.7'],
  ['2001:DB8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['"[2001:db8::7]:50123"', '2001:db8::7'],
  ['2001:db8::7:50123', '2001:db8::7'],
  ['2001:db8:0:0:0:0:0:7:443', '2001:db8::7'],
  ['[fe80::7%eth0]:443', 'fe80::7%eth0'],
];

const UNREADABLE = [
  'unknown',
  '_hidden',
  'panel.example',
  'panel.example:443',
  '192.0.2.7:',
  '192.0.2.7:123456',
  '192.0.2.7:443:443',
  '192.0.2.7 443',
  '192.0.2.256:443',
  '[2001:db8::7',
  '[]:443',
  '[2001:db8::7]443',
  ':443',
];

describe('The address that a trusted proxy reports', () => {
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    const app = new Koa();
    app.proxy = true;
    app.maxIpsCount = 1;
    const { knex } = await freshDatabase('sqlite');
    panel = await startPanel({ db: knex, httpsRequired: false, rateLimit: { requests: 1000 } }, app);
    token = await panel.token();
  });

  const ask = (forwarded: string, bearer = token) =>
    panel.get('/api/v1/me.php', bearer, { headers: { 'X-Forwarded-For': forwarded } });

  test.each(WRITTEN)('is read from %s', async (forwarded, address) => {
    const before = (await panel.requestLines(0)).length;
    expect((await ask(forwarded)).body.data.client_ip).toBe(address);
    const lines = await panel.requestLines(before + 1);
    expect(lines.at(-1)?.fields.address).toBe(address);
  });

  test.each(WRITTEN.filter(([, address]) => !address.includes('%')))(
    'is the one that a token is bound to, written as %s',
    async (forwarded, address) => {
      const bound = await panel.token({ allowedAddresses: [address] });
      expect((await ask(forwarded, bound)).status).toBe(200);
      expect((await ask('203.0.113.9:443', bound)).body.error).toMatchObject({
        code: 'ip_not_allowed',
        address: '203.0.113.9',
      });
    },
  );

  test.each(UNREADABLE)('is unknown if it is written as %s', async (forwarded) => {
    expect((await ask(forwarded)).body.data.client_ip).toBe('unknown');
  });

  test.each(['192.0.2.7:50123', '[2001:db8::7]:443'])('is that of an author: %s', async (address) => {
    await panel.api.tokens.create({ name: 'x', scopes: ['*'] }, { ...AUTHOR, address });
    const [entry] = await panel.api.audit.list({ limit: 1 });
    expect(entry?.address).toBe(address.replace(/:\d+$/, '').replace(/[[\]]/g, ''));
  });
});
