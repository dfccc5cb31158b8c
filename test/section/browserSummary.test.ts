import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

describe('Beside the form of a new token, the summary', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite', {}, { languages: { en: {}, de: {} } });
    browser = await startBrowser(section);
  });

  const summary = (page: Page) => page.locator('#summary');
  const says = (page: Page, words: string) => summary(page).getByText(words).waitFor();

  test('names what is missing, and nothing else', async () => {
    const page = await browser.open('tokens/new');
    await says(page, 'Still missing: name, scopes');
    await page.getByLabel('Name').fill('Billing');
    await summary(page).getByText('Still missing: scopes', { exact: true }).waitFor();
    expect(await summary(page).textContent()).not.toContain('corrected');
    expect(await summary(page).getByRole('link', { name: 'scopes' }).getAttribute('href')).toBe('#scope');
  });

  test('names a wrong address, and not what is there', async () => {
    const page = await browser.open('tokens/new?name=x&scope=domains.read&addresses=1.2.3');
    await says(page, '"1.2.3" is not an address');
    expect(await summary(page).textContent()).not.toMatch(/Still missing/);
    expect(await summary(page).getByRole('link', { name: '1.2.3' }).getAttribute('href')).toBe('#addresses');
  });

  test('removes each error as soon as its field is right, with the box of all errors at the end', async () => {
    const page = await browser.open('tokens/new?addresses=1.2.3&name=x');
    await summary(page).getByRole('button', { name: 'Continue' }).click();
    const box = page.locator('main > .problem');
    await box.getByText('Still missing: scopes').waitFor();
    expect(await page.locator('form .wrong').count()).toBe(2);
    await page.getByLabel('Domains').check();
    await box.getByText('Still missing').waitFor({ state: 'detached' });
    expect(await page.locator('#scope').getAttribute('aria-invalid')).toBeNull();
    expect(await page.locator('#addresses-wrong').isVisible()).toBe(true);
    expect(await box.textContent()).toContain('1.2.3');
    await page.getByLabel('Only from these addresses').fill('192.0.2.7');
    await page.getByRole('button', { name: 'Create token' }).waitFor();
    expect([await box.count(), await page.locator('form .wrong').count()]).toEqual([0, 0]);
  });

  test('leaves the focus to the first field that is wrong when the form is refused', async () => {
    const page = await browser.open('tokens/new?addresses=1.2.3&name=x&preset=billing&expiry=date');
    await summary(page).getByRole('button', { name: 'Continue' }).click();
    await page.locator('main > .problem').waitFor();
    await page.locator('#addresses:focus').waitFor();
    expect(await page.locator('[autofocus]').count()).toBe(1);
  });

  test('gives way to the created token, whose button Copy has the focus', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await browser.open('tokens/new?name=x&scope=domains.read');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('[data-copy="token"]:focus').waitFor();
  });

  test('asks for nothing that is answered with an error while a person types', async () => {
    const before = browser.complaints.length;
    const page = await browser.open('tokens/new');
    const answers: number[] = [];
    page.on('response', (response) => answers.push(response.status()));
    for (const address of ['192.', '192.0.2.', '192.0.2.7']) {
      await page.getByText('Note, account, addresses and rate limit').focus();
      await page.locator('details.card').evaluate((one) => one.setAttribute('open', ''));
      const answered = page.waitForResponse(/tokens\/review/);
      await page.getByLabel('Only from these addresses').fill(address);
      await answered;
    }
    expect(answers.filter((status) => status >= 400)).toEqual([]);
    expect(browser.complaints.slice(before)).toEqual([]);
  });

  test('is asked for again with the next page if it cannot be read', async () => {
    const page = await browser.open('tokens/new?name=x&scope=domains.read');
    await page.getByRole('button', { name: 'Create token' }).waitFor();
    await page.route('**/tokens/review', (route) => route.abort());
    await page.getByLabel('Name').fill('y');
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await page.unroute('**/tokens/review');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create token' }).waitFor();
  });

  test('names a wrong address in German, too', async () => {
    const german = await startBrowser(section, { locale: 'de-DE' });
    const page = await german.open('tokens/new?name=x&scope=domains.read&addresses=1.2.3');
    await says(page, 'Ungültig: 1.2.3.');
  });
});

test("A page of the section's own frame asks for no icon that does not exist", async () => {
  const section = await startSectionPanel('sqlite');
  const browser = await startBrowser(section);
  const page = await browser.open('tokens/new');
  const href = await page.locator('link[rel="icon"]').getAttribute('href');
  const answer = await page.request.get(new URL(href ?? '', page.url()).href);
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
});
