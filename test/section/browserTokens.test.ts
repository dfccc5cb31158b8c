import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

describe('In a browser, the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    browser = await startBrowser(section);
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: section.panel.url,
    });
  });

  test.each([
    ['the token', 'token'],
    ['the curl line', 'curl'],
  ])('copies %s at the press of a button', async (_what, id) => {
    page = await browser.open('tokens/review?name=Copied&scope=*');
    await page.getByRole('button', { name: 'Create token' }).click();
    const value = await page.locator(`#${id}`).inputValue();
    const button = page.locator(`[data-copy="${id}"]`);
    await button.click();
    await button.filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
  });
});
