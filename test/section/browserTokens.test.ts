import type { Page } from 'playwright-core';
import { createMcp } from '../../index';
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

  test('names on the page of a new token what it may read and until when, first of all to copy it', async () => {
    page = await browser.open('tokens/review?name=Listed&scope=domains.read&expiry=30');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('.notice.warn').getByText('Copy the token now.').waitFor();
    expect(await page.locator('main .primary').getAttribute('data-copy')).toBe('token');
    expect(await page.locator('.secret .facts').allInnerTexts()).toEqual([
      expect.stringMatching(/Listed[\s\S]*domains\.read[\s\S]*in 30 days/),
    ]);
  });

  test('shows the lines of one client of the MCP server at a time', async () => {
    createMcp({ api: section.panel.api });
    page = await browser.open('assistants');
    const shown = () => page.locator('pre:visible').allInnerTexts();
    expect(await shown()).toEqual([expect.stringContaining('claude mcp add')]);
    await page.getByLabel('VS Code').check();
    expect(await shown()).toEqual([expect.stringContaining('promptString')]);
    await page.keyboard.press('ArrowLeft');
    expect(await shown()).toEqual([expect.stringContaining('mcpServers')]);
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
