import { startBrowser, type TestBrowser } from './browser';
import { type SectionPanel, startSectionPanel } from './sectionPanel';

describe('A page of the API section that a browser keeps and shows again', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    browser = await startBrowser(section);
  });

  afterAll(async () => {
    await browser?.close();
    await section?.close();
  });

  test('holds no token that was pasted into it', async () => {
    const page = await browser.open('reference');
    await page.evaluate('window.kept = true');
    await page.locator('#try-token').fill('pnl_pasted');
    const left = page.url();
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.evaluate('history.back()');
    // A page that was kept is not loaded again.
    await page.waitForURL(left, { waitUntil: 'commit' });
    await page.locator('#try-token').waitFor();
    expect(await page.evaluate('window.kept')).toBe(true);
    expect(await page.locator('#try-token').inputValue()).toBe('');
    await page.close();
  });
});
