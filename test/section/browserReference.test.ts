import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { SECTION, type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

const DOMAINS = '/api/v1/domains.php';

describe('In a browser, the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    for (const name of ['Billing', 'Status page', 'BILLING of the past'])
      await section.panel.api.tokens.create(
        { name, scopes: ['domains.read'] },
        { actor: 'ann', origin: 'panel' },
      );
    browser = await startBrowser(section);
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: section.panel.url,
    });
  });

  afterEach(() => page.close());

  /** Opens the reference, pastes the token, and presses the button of an endpoint. */
  const tryIt = async (token: string, path = DOMAINS) => {
    page = await browser.open('reference');
    await page.getByLabel('Try it with a token').fill(token);
    const endpoint = page.locator('details.endpoint').filter({ has: page.getByText(path, { exact: true }) });
    await endpoint.locator('summary').click();
    await endpoint.getByRole('button', { name: 'Send the request' }).click();
    const answer = endpoint.locator('[data-answer]');
    await answer.filter({ hasText: /^\d{3}\n|could not/ }).waitFor();
    const text = (await answer.textContent()) ?? '';
    const [status = ''] = text.split('\n', 1);
    return { status, body: JSON.parse(text.slice(status.length)) };
  };

  const answers = async () => (await page.locator('[data-answer]').allTextContents()).join('');

  test('tries an endpoint with a token, and shows what the API answers', async () => {
    const token = await section.panel.token();
    const { status, body } = await tryIt(token);
    const live = await section.panel.get(`${DOMAINS}?limit=5`, token);
    expect(status).toBe('200');
    expect(body.data).toEqual(live.body.data);
    expect(body.data.items.length).toBeGreaterThan(0);
  });

  test('tries an endpoint that is no list, too', async () => {
    const { status, body } = await tryIt(await section.panel.token({ name: 'Mine' }), '/api/v1/me.php');
    expect([status, body.data.resource]).toEqual(['200', 'me']);
  });

  test.each([
    ['a wrong token', `pnl_${'A'.repeat(46)}`],
    ['no token', ''],
  ])('shows that the API refuses %s', async (_what, token) => {
    const { status, body } = await tryIt(token);
    const live = await section.panel.get(DOMAINS, token);
    expect([status, body.error.code]).toEqual(['401', live.body.error.code]);
  });

  test('forgets the token that was pasted, and never keeps it', async () => {
    const token = await section.panel.token();
    await tryIt(token);
    const kept = () =>
      page.evaluate(
        'JSON.stringify([location.href, history.state, document.cookie, {...localStorage}, {...sessionStorage}])',
      );
    expect(await kept()).not.toContain(token);
    expect(await page.getByLabel('Try it with a token').getAttribute('type')).toBe('password');
    await page.reload();
    expect(await kept()).not.toContain(token);
    expect(await page.getByLabel('Try it with a token').inputValue()).toBe('');
    expect(await answers()).toBe('');
  });

  test('forgets the token and the answers when the page is left, even if the browser keeps it', async () => {
    await tryIt(await section.panel.token());
    // What happens when the page goes into the browser's cache of pages to go back to.
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
    expect(await page.getByLabel('Try it with a token').inputValue()).toBe('');
    expect(await answers()).toBe('');
  });

  test('sends nothing when Enter is pressed in the field of the token', async () => {
    page = await browser.open('reference');
    const field = page.getByLabel('Try it with a token');
    await field.fill('pnl_secret');
    await field.press('Enter');
    expect(page.url()).toBe(`${section.panel.url}${SECTION}/reference`);
    expect(await field.inputValue()).toBe('pnl_secret');
  });

  test('filters the list of tokens while the user types', async () => {
    page = await browser.open('tokens');
    const names = () => page.locator('#tokens tbody tr:visible th a').allInnerTexts();
    const all = await names();
    const field = page.getByRole('searchbox');
    await field.pressSequentially('bill');
    expect((await names()).toSorted()).toEqual(['BILLING of the past', 'Billing']);
    await field.fill('no such token');
    expect(await names()).toEqual([]);
    await field.fill('');
    expect(await names()).toEqual(all);
  });

  test.each([
    ['the token', 'token'],
    ['the curl line', 'curl'],
  ])('copies %s at the press of a button', async (_what, id) => {
    page = await browser.open('tokens/review?name=Copied&scope=*');
    await page.getByRole('button', { name: 'Create the token' }).click();
    const value = await page.locator(`#${id}`).inputValue();
    const button = page.locator(`[data-copy="${id}"]`);
    await button.click();
    await button.filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
  });

  test('never violates its own content security policy', () => {
    // A browser itself reports an answer of 401 as an error.
    expect(browser.complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });
});

test('In a browser, the API section offers no trial if the API has another origin', async () => {
  const section = await startSectionPanel('sqlite', {}, { apiUrl: 'https://panel.example' });
  const browser = await startBrowser(section);
  const page = await browser.open('reference');
  await page.locator('details.endpoint summary').first().click();
  expect(await page.getByText('curl -s').first().isVisible()).toBe(true);
  expect(await page.locator('[data-try]:visible, [data-send]:visible').count()).toBe(0);
});
