import { startBrowserWithProfile, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('A page of the API section that is shown again by the back button, %s,', (_how, javaScriptEnabled) => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    // Playwright switches this cache off; other browsers may show a page that was left again as it was.
    browser = await startBrowserWithProfile(section, {
      javaScriptEnabled,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  });

  test('holds no created token', async () => {
    const page = await browser.open('tokens/review?name=Once&scope=*');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    const left = page.url();
    await page.getByRole('link', { name: 'Tokens' }).first().click();
    await page.getByRole('heading', { name: 'Tokens' }).waitFor();
    await page.evaluate('history.back()');
    await page.waitForURL(left, { waitUntil: 'commit' });
    await page.locator('main').waitFor();
    const fields = await page.locator('input, textarea').all();
    expect(await Promise.all(fields.map((field) => field.inputValue()))).not.toContain(token);
    expect(await page.content()).not.toContain(token);
  });

  // Without JavaScript, the browser asks whether to send the form again; tokens.test.ts does.
  if (!javaScriptEnabled) return;

  test('creates no second token', async () => {
    const page = await browser.open('tokens/new?name=Twice&scope=domains.read');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Token', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { name: 'This form was already sent' }).waitFor();
    const { tokens } = await section.panel.api.tokens.page({ search: 'Twice' });
    expect(tokens).toHaveLength(1);
  });
});
