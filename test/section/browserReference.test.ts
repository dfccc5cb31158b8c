import { execFileSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { SECTION, type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

const DOMAINS = '/api/v1/domains.php';
/** The page of all endpoints takes longer to load. */
const FEW = {
  accounts: false,
  email: false,
  services: false,
  cron: false,
  jobs: false,
  settings: false,
} as const;
const TOKEN = 'Token for requests from this page';

describe('In a browser, the reference of the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;
  let page: Page;
  let endpoint: Locator;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite', { sources: FEW });
    browser = await startBrowser(section);
  });

  /** Opens an endpoint of the reference by its link. */
  const open = async (name = 'domains') => {
    page = await browser.open(`reference#${name}`);
    endpoint = page.locator('details.endpoint', { has: page.locator(`#${name}`) });
  };

  const textOf = async (part: string) => (await endpoint.locator(`[data-${part}]`).textContent()) ?? '';
  const line = () => textOf('line');
  const curl = () => textOf('curl');
  const field = (name: string) => endpoint.getByLabel(name, { exact: true });

  /** Sends the request, and returns what is shown of its answer. */
  const send = async () => {
    await endpoint.getByRole('button', { name: 'Send' }).click();
    await endpoint
      .getByRole('status')
      .filter({ hasText: /bytes|could not/ })
      .waitFor();
    return { status: await textOf('status'), text: await textOf('body') };
  };

  /** Pastes the token, and sends the request of an endpoint. */
  const tryIt = async (token: string, name = 'domains') => {
    await open(name);
    await page.getByLabel(TOKEN).fill(token);
    const { status, text } = await send();
    return { status, body: JSON.parse(text) };
  };

  test('sends a request with the token, and shows what the API answers', async () => {
    const token = await section.panel.token();
    const { status, body } = await tryIt(token);
    const live = await section.panel.get(`${DOMAINS}?limit=5`, token);
    expect(status).toMatch(/^200 OK in [\d,]+ ms, [\d,]+ bytes$/);
    expect(body.data).toEqual(live.body.data);
    expect(body.data.items.length).toBeGreaterThan(0);
  });

  test('sends a request for an endpoint that is no list, too', async () => {
    const { body } = await tryIt(await section.panel.token({ name: 'Mine' }), 'me');
    expect(body.data.resource).toBe('me');
  });

  test('uses the token for every endpoint', async () => {
    await tryIt(await section.panel.token());
    await page.getByRole('link', { name: 'Databases' }).click();
    endpoint = page.locator('details.endpoint', { has: page.locator('#databases') });
    expect(await endpoint.getByText('Sent with your token.').isVisible()).toBe(true);
    expect((await send()).status).toMatch(/^200 OK/);
  });

  test('takes a new token from the page that shows it, at the press of a button, and no other message', async () => {
    page = await browser.open('tokens/review?name=Handed&scope=domains.read');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Use it in the reference' }).click();
    const reference = await opened;
    await reference.locator('[data-token="set"]:not([hidden])').first().waitFor({ state: 'attached' });
    await reference.evaluate("postMessage('forged', location.origin)");
    await reference.waitForTimeout(50);
    expect(await reference.getByLabel(TOKEN).inputValue()).toBe(token);
    await reference.close();
  });

  test('shows the answer below its button on a phone, wherever the parameters are', async () => {
    await open();
    await page.setViewportSize({ width: 360, height: 640 });
    await endpoint.locator('tbody label').last().scrollIntoViewIfNeeded();
    await send();
    const [button, status] = await Promise.all(
      ['[data-send]', '[data-status]'].map((part) => endpoint.locator(part).boundingBox()),
    );
    const below = status!.y - (button!.y + button!.height);
    expect(below).toBeGreaterThanOrEqual(0);
    expect(below).toBeLessThan(120);
  });

  test('leads to the field of the token if there is none', async () => {
    await open();
    await endpoint.getByRole('link', { name: 'enter one' }).click();
    expect(await page.getByLabel(TOKEN).evaluate('document.activeElement.id')).toBe('reference-token');
  });

  test('shows the headers of the answer', async () => {
    await tryIt(await section.panel.token());
    const headers = await endpoint.locator('[data-headers] dt').allInnerTexts();
    expect(headers).toEqual(
      ['X-Request-Id', 'ETag', 'Link', 'RateLimit', 'RateLimit-Policy'].filter((name) =>
        headers.includes(name),
      ),
    );
    expect(headers).toContain('RateLimit');
    const [id = ''] = await endpoint.locator('[data-headers] dd').allInnerTexts();
    expect(section.panel.log.map((entry) => JSON.stringify(entry)).join()).toContain(id);
  });

  test.each([
    ['a wrong token', `pnl_${'A'.repeat(46)}`],
    ['no token', ''],
  ])('shows how the API refuses %s', async (_what, token) => {
    const { status, body } = await tryIt(token);
    const live = await section.panel.get(DOMAINS, token);
    expect(status).toMatch(/^401 Unauthorized in /);
    expect(body.error.code).toBe(live.body.error.code);
    expect(await textOf('problem')).toBe(live.body.message);
  });

  test('says that the API cannot be reached', async () => {
    await open();
    await page.route(`**${DOMAINS}*`, (route) => route.abort());
    expect((await send()).status).toBe('The API could not be reached from this page.');
  });

  test('shows numbers of any length, and a text that is no JSON', async () => {
    await open();
    const answer = (body: string) => page.route(`**${DOMAINS}*`, (route) => route.fulfill({ body }));
    await answer('{"bytes": 123456789012345678901234567890}');
    expect((await send()).text).toContain('123456789012345678901234567890');
    await answer('<h1>The proxy</h1>');
    expect((await send()).text).toBe('<h1>The proxy</h1>');
  });

  test('shows only the beginning of an answer that is very long', async () => {
    await open();
    await page.route(`**${DOMAINS}*`, (route) => route.fulfill({ body: `"${'x'.repeat(500_000)}"` }));
    expect((await send()).text.length).toBeLessThan(400_000);
    expect(await endpoint.getByText('Only its beginning is shown.').isVisible()).toBe(true);
  });

  test('writes the request line with every parameter that is filled in', async () => {
    await open();
    expect(await line()).toBe(`GET ${DOMAINS}?limit=5`);
    await field('limit').fill('');
    expect(await line()).toBe(`GET ${DOMAINS}`);
    await field('order').selectOption('desc');
    await field('search').fill("o'brien & söhne");
    await endpoint.locator('summary', { hasText: 'Ranges' }).click();
    await field('created_at_since').fill('2026-06-12');
    expect(await line()).toBe(
      `GET ${DOMAINS}?order=desc&search=o%27brien%20%26%20s%C3%B6hne&created_at_since=2026-06-12`,
    );
  });

  test('offers the words of a filter, and a further one', async () => {
    await open();
    await field('status').selectOption('active');
    await field('Another value of status').selectOption('pending');
    expect(await line()).toBe(`GET ${DOMAINS}?limit=5&status=active,pending`);
    await field('Another value of status').first().selectOption('');
    expect(await line()).toBe(`GET ${DOMAINS}?limit=5&status=active`);
    await field('status').selectOption('');
    expect(await line()).toBe(`GET ${DOMAINS}?limit=5`);
    expect(await endpoint.locator('[name="status"]').count()).toBe(1);
  });

  test('leaves out what goes only with items if figures are asked for', async () => {
    await open();
    await page.getByLabel(TOKEN).fill(await section.panel.token());
    await field('count').selectOption('status');
    expect(await line()).toBe(`GET ${DOMAINS}?count=status`);
    expect(await field('limit').isDisabled()).toBe(true);
    expect((await send()).status).toMatch(/^200 OK/);
    await field('count').selectOption('');
    expect(await line()).toBe(`GET ${DOMAINS}?limit=5`);
  });

  test('sends exactly the request that it shows', async () => {
    await open();
    await field('domain').fill('a+b.example, c.example');
    const [request] = await Promise.all([page.waitForRequest(`**${DOMAINS}*`), send()]);
    expect(await line()).toBe(`GET ${request.url().slice(section.panel.url.length)}`);
  });

  test('sends the request when Enter is pressed in a parameter', async () => {
    await open();
    await field('search').fill('shop');
    await Promise.all([
      page.waitForRequest(`**${DOMAINS}?limit=5&search=shop`),
      field('search').press('Enter'),
    ]);
  });

  test.each(['shop', 'it\'s; $(id) `id` "x" \\ & | > ! # ~ *?[a]{b,c}%'])(
    'writes a curl line that a shell understands, for %j',
    async (text) => {
      await open();
      await field('search').fill(text);
      const command = `curl() { printf '%s\\n' "$@"; }; TOKEN=secret; ${await curl()}`;
      const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim().split('\n');
      const url = words.pop() ?? '';
      expect(words).toEqual(['-s', '-H', 'Authorization: Bearer secret']);
      expect(new URL(url).searchParams.get('search')).toBe(text);
      // Otherwise curl itself would take brackets and braces for several URLs.
      expect(url).not.toMatch(/[[\]{}]/);
    },
  );

  test('writes curl lines without the token', async () => {
    const token = await section.panel.token();
    await tryIt(token);
    expect(await curl()).toContain('Bearer $TOKEN');
    expect(await page.content()).not.toContain(token);
  });

  test('copies the curl line', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: section.panel.url,
    });
    await open();
    await field('status').selectOption('active');
    await endpoint.getByRole('button', { name: 'Copy as curl' }).click();
    await endpoint.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await curl());
  });

  test('opens the endpoint of a link, and no other', async () => {
    await open('websites');
    expect(await page.locator('details.endpoint[open]').count()).toBe(1);
    await page.getByRole('link', { name: 'Certificates' }).click();
    expect(await page.locator('#ssl').isVisible()).toBe(true);
  });

  test('forgets the token that was pasted, and never keeps it', async () => {
    const token = await section.panel.token();
    await tryIt(token);
    const kept = () =>
      page.evaluate(
        'JSON.stringify([location.href, history.state, document.cookie, {...localStorage}, {...sessionStorage}])',
      );
    expect(await kept()).not.toContain(token);
    expect(await page.getByLabel(TOKEN).getAttribute('type')).toBe('password');
    await page.reload();
    expect(await kept()).not.toContain(token);
    expect(await page.getByLabel(TOKEN).inputValue()).toBe('');
    expect(await textOf('body')).toBe('');
  });

  test('forgets all that was entered and answered when the page is left, even if the browser keeps it', async () => {
    await open();
    await page.getByLabel(TOKEN).fill(await section.panel.token());
    await field('status').selectOption('active');
    await send();
    // What happens when the page goes into the browser's cache of pages to go back to.
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
    expect(await page.getByLabel(TOKEN).inputValue()).toBe('');
    expect(await line()).toBe(`GET ${DOMAINS}?limit=5`);
    expect(await textOf('body')).toBe('');
    expect(await textOf('headers')).toBe('');
  });

  test('does not show an answer that arrives after the page was left', async () => {
    await open();
    let release = () => {};
    await page.route(`**${DOMAINS}*`, async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.fulfill({ body: '{"late": true}' }).catch(() => undefined);
    });
    const sent = page.waitForRequest(`**${DOMAINS}*`);
    await endpoint.getByRole('button', { name: 'Send' }).click();
    await sent;
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
    release();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    expect(await textOf('body')).toBe('');
  });

  test('sends nothing when Enter is pressed in the field of the token', async () => {
    page = await browser.open('reference');
    const token = page.getByLabel(TOKEN);
    await token.fill('pnl_secret');
    await token.press('Enter');
    expect(page.url()).toBe(`${section.panel.url}${SECTION}/reference`);
    expect(await token.inputValue()).toBe('pnl_secret');
  });

  test('never violates its own content security policy', () => {
    // A browser itself reports an answer of 401, and a request that was aborted, as an error.
    expect(browser.complaints.filter((text) => !/status of 40|ERR_FAILED/.test(text))).toEqual([]);
  });
});

test('In a browser, the reference sends no request if the API has another origin, but writes it', async () => {
  const section = await startSectionPanel('sqlite', {}, { apiUrl: 'https://panel.example/host' });
  const browser = await startBrowser(section);
  const page = await browser.open('reference#domains');
  const domains = page.locator('#domains');
  await domains.getByLabel('status', { exact: true }).selectOption('active');
  expect(await domains.locator('[data-line]').textContent()).toBe(
    'GET /host/api/v1/domains.php?limit=5&status=active',
  );
  expect(await domains.locator('[data-curl]').textContent()).toContain(
    "'https://panel.example/host/api/v1/domains.php?limit=5&status=active'",
  );
  expect(await page.locator('[data-send]:visible, input[type=password]:visible').count()).toBe(0);
  expect(await page.getByText('the API has another address').isVisible()).toBe(true);
});

test('In a browser without JavaScript, the reference can be read', async () => {
  const section = await startSectionPanel('sqlite');
  const browser = await startBrowser(section, { javaScriptEnabled: false });
  const page = await browser.open('reference');
  await page.getByRole('link', { name: 'Domains' }).click();
  const domains = page.locator('#domains');
  expect(
    await domains
      .getByText(`curl -s -H "Authorization: Bearer $TOKEN" ${section.panel.url}${DOMAINS}`)
      .isVisible(),
  ).toBe(true);
  const words = domains.locator('noscript').first();
  expect(await words.isVisible()).toBe(true);
  expect(await page.locator('main :is(input, select, button):visible').count()).toBe(0);
});
