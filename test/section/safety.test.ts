import { get } from 'node:http';
import type { Context } from 'koa';
import {
  hiddenFields,
  SECTION,
  type SectionPanel,
  shownToken,
  startSectionPanel,
} from '../fixture/section/sectionPanel';

const REVIEW = 'tokens/review?name=Billing&scope=domains.read';

describe('The API section', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
  });

  // When a record was read is not part of the stored token.
  const tokens = async () =>
    (await section.panel.api.tokens.list()).map((token) => ({ ...token, readAt: null }));
  const entries = () => section.panel.api.audit.list();

  const PAGES = [
    '',
    'tokens',
    'tokens/new',
    REVIEW,
    'audit',
    'audit.csv',
    'settings',
    'reference',
    'openapi.json',
    'tokens/9',
  ];
  const ASSETS = ['assets/section.css', 'assets/section.js'];

  test.each([...PAGES, ...ASSETS])(
    'keeps %s in no cache, no frame and no referrer, and runs no script but its own',
    async (path) => {
      const { headers } = await section.get(path);
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('CDN-Cache-Control')).toBe('no-store');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http/);
    },
  );

  test('has its policy for scripts within a page, too, because some frameworks replace the header', async () => {
    const { headers, text } = await section.get('tokens');
    const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(text) ?? [];
    expect(headers.get('Content-Security-Policy')).toBe(
      `${policy.replaceAll('&#39;', "'")}; frame-ancestors 'none'`,
    );
  });

  test.each(PAGES)('shows %s only to users that the panel names', async (path) => {
    const { status, text } = await section.get(path, { admin: null });
    expect([status, text.includes('You are not allowed to administer the API.')]).toEqual([403, true]);
    expect(text).not.toMatch(/<nav|<footer/);
  });

  test('reads nothing for a refused person whose URL says that something was done', async () => {
    const { get, database } = await startSectionPanel('sqlite');
    const statements: string[] = [];
    database.knex.on('query', ({ sql }) => statements.push(sql));
    expect((await get('tokens?done=x', { admin: null })).status).toBe(403);
    expect(statements).toEqual([]);
  });

  test.each(ASSETS)('serves %s to every person, because the page that refuses needs it', async (path) => {
    const [stranger, ann] = [await section.get(path, { admin: null }), await section.get(path)];
    expect([stranger.status, stranger.text]).toEqual([200, ann.text]);
  });

  test.each(PAGES)('has no inline script and no inline style in %s', async (path) => {
    const { text } = await section.get(path);
    expect(text).not.toMatch(/<script(?! src=)|\son\w+=|<style|\sstyle=|javascript:/);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
    [
      'another site, in spite of a right Origin',
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://127.0.0.1' },
    ],
    ['no page at all', { 'Sec-Fetch-Site': 'none' }],
    ['a browser that says another Origin', { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }],
    ['a browser that hides its Origin', { 'Sec-Fetch-Site': '', Origin: 'null' }],
    ['a program that says nothing', { 'Sec-Fetch-Site': '' }],
  ])('refuses a form that was sent by %s, and writes nothing', async (_who, headers) => {
    const before = [await tokens(), await entries()];
    const { status, text } = await section.send(REVIEW, 'tokens', {}, { headers });
    expect([status, shownToken(text)]).toEqual([403, undefined]);
    expect([await tokens(), await entries()]).toEqual(before);
  });

  const FOREIGN = 'Another site asked for this page. Open it in a window of its own.';

  /** Gets a page with exactly these headers: `fetch` sends some of its own. */
  const ask = async (path: string, metadata: readonly string[]) => {
    const names = ['Sec-Fetch-Site', 'Sec-Fetch-Mode', 'Sec-Fetch-Dest'];
    const headers = Object.fromEntries(metadata.map((value, index) => [names[index] ?? '', value]));
    return new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
      const url = `${section.panel.url}${SECTION}/${path}`;
      get(url, { headers: { ...headers, Cookie: 'admin=ann' } }, async (response) => {
        resolve({ status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() });
      }).on('error', reject);
    });
  };

  test.each([
    ['cross-site', 'no-cors', 'image'],
    ['cross-site', 'cors', 'empty'],
    ['same-site', 'no-cors', 'script'],
    ['same-site', 'cors', 'empty'],
    ['cross-site', 'navigate', 'iframe'],
    ['cross-site', 'navigate', 'object'],
    ['cross-site', 'websocket', 'empty'],
    ['cross-site'],
  ])('refuses every page to a request of another site, such as %s %s %s', async (...metadata) => {
    for (const path of [...PAGES, 'tokens/accounts.json?search=a', 'audit.json']) {
      const { status, text } = await ask(path, metadata);
      expect([path, status, text.includes(FOREIGN), text.includes('<nav')]).toEqual([path, 403, true, false]);
    }
    for (const path of ASSETS) expect((await ask(path, metadata)).status).toBe(200);
  });

  test.each([
    [],
    ['none', 'navigate', 'document'],
    ['cross-site', 'navigate', 'document'],
    ['same-site', 'navigate', 'document'],
    ['same-site', 'navigate'],
    ['same-origin', 'cors', 'empty'],
    ['same-origin', 'no-cors', 'image'],
  ])('shows its pages to a request with %s %s %s', async (...metadata) => {
    for (const path of ['', 'tokens', 'tokens/accounts.json?search=a'])
      expect([path, (await ask(path, metadata)).status]).toEqual([path, 200]);
  });

  test('takes a form whose browser names this host as its origin and nothing else', async () => {
    const headers = { 'Sec-Fetch-Site': '', Origin: section.panel.url };
    const { status, text } = await section.send(REVIEW, 'tokens', {}, { headers });
    expect([status, shownToken(text)]).toEqual([200, expect.any(String)]);
  });

  test.each<[string, (token: string) => string]>([
    ['no token', () => ''],
    ['a forged token', (token) => token.slice(0, -9) + (token.at(-9) === 'A' ? 'B' : 'A') + token.slice(-8)],
    ['a token of a later time', (token) => `zzzzzzzz${token.slice(8)}`],
    ['half a token', (token) => token.slice(0, 30)],
  ])('refuses a form with %s, and writes nothing', async (_which, changed) => {
    const before = [await tokens(), await entries()];
    const { text: page } = await section.get(REVIEW);
    const { form_token = '' } = Object.fromEntries(hiddenFields(page, 'tokens'));
    const { status, text } = await section.send(REVIEW, 'tokens', { form_token: changed(form_token) });
    expect([status, shownToken(text)]).toEqual([403, undefined]);
    expect([await tokens(), await entries()]).toEqual(before);
  });

  test('takes a form for twelve hours, and no longer', async () => {
    const { text } = await section.get(REVIEW);
    const { form_token = '' } = Object.fromEntries(hiddenFields(text, 'tokens'));
    const { now } = Date;
    const sentAfter = async (hours: number) => {
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
      try {
        return (await section.send(REVIEW, 'tokens', { form_token })).status;
      } finally {
        clock.mockRestore();
      }
    };
    expect([await sentAfter(12.1), await sentAfter(11.9)]).toEqual([403, 200]);
  });

  test('shows a text that looks like HTML as text', async () => {
    const name = `<b title="a">it's</b>`;
    const author = { actor: 'ann', origin: 'panel' } as const;
    await section.panel.api.tokens.create({ name, scopes: ['*'] }, author);
    const { text } = await section.get('tokens');
    expect(text).toContain('&lt;b title=&quot;a&quot;&gt;it&#39;s&lt;/b&gt;');
    expect(text).not.toContain('<b title=');
  });

  test('refuses the form of another administrator and of another action', async () => {
    const { record } = await section.panel.api.tokens.create(
      { name: 'mine', scopes: ['*'] },
      { actor: 'ann', origin: 'panel' },
    );
    const { text } = await section.get(REVIEW);
    const { form_token = '' } = Object.fromEntries(hiddenFields(text, 'tokens'));
    const others = await section.send(REVIEW, 'tokens', { form_token }, { admin: 'bob' });
    const revoke = `tokens/${record.id}/revoke`;
    const elsewhere = await section.send(revoke, revoke, { form_token });
    expect([others.status, elsewhere.status]).toEqual([403, 403]);
    expect((await section.panel.api.tokens.get(record.id))?.state).toBe('active');
  });

  test('creates one token from a form that is sent twice, and shows it once', async () => {
    const { text: page } = await section.get(REVIEW);
    const { form_token = '' } = Object.fromEntries(hiddenFields(page, 'tokens'));
    const before = (await tokens()).length;
    const first = await section.send(REVIEW, 'tokens', { form_token });
    const second = await section.send(REVIEW, 'tokens', { form_token });
    expect([first.status, second.status]).toEqual([200, 409]);
    expect(second.text).toContain('<a href="tokens">To all tokens</a>');
    expect([shownToken(first.text), shownToken(second.text)]).toEqual([expect.any(String), undefined]);
    expect((await tokens()).length).toBe(before + 1);
  });

  test('refuses a form that is no form, and one that is too long', async () => {
    const send = (body: string, type: string) =>
      fetch(`${section.panel.url}${SECTION}/tokens`, {
        method: 'POST',
        body,
        headers: { Cookie: 'admin=ann', 'Sec-Fetch-Site': 'same-origin', 'Content-Type': type },
      });
    expect((await send('{"name":"x"}', 'application/json')).status).toBe(400);
    expect((await send(`name=${'x'.repeat(100_000)}`, 'application/x-www-form-urlencoded')).status).toBe(413);
  });

  test('lets the panel itself answer a person who is not signed in', async () => {
    const own = await startSectionPanel(
      'sqlite',
      {},
      {
        authorize: (ctx: Context) => {
          ctx.redirect('/login');
          return null;
        },
      },
    );
    const { status, headers } = await own.get('tokens');
    expect([status, headers.get('Location')]).toEqual([302, '/login']);
  });
});
