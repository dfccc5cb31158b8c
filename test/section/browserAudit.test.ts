import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

const ANN = { actor: 'ann@panel.example', origin: 'api-section', address: '2001:db8::1:2:3:4:5' } as const;

describe('In a browser, the audit trail', () => {
  let section: SectionPanel;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    const { tokens, settings } = section.panel.api;
    const name = 'A token whose name is so long that no line of any table has a place for all of it';
    const { record, token } = await tokens.create({ name, scopes: ['domains.read'] }, ANN);
    await tokens.update(record.id, { note: 'long '.repeat(80), scopes: ['ssl.read', 'jobs.read'] }, ANN);
    await settings.change({ httpsRequired: false, defaultExpiryDays: null }, ANN);
    // The overview of a panel in use has entries, too.
    await section.panel.get('/api/v1/domains.php', token);
    browser = await startBrowser(section);
  });

  /** The lines of each entry, as the browser shows it. */
  const lines = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    // The space above and below an entry is less than a line.
    return page.evaluate(`[...document.querySelectorAll('#entries tbody tr')].map((row) =>
      Math.floor(row.clientHeight / Number.parseFloat(getComputedStyle(row).lineHeight)))`);
  };

  test('has one line for each entry on a desktop, and two on a phone', async () => {
    page = await browser.open('audit');
    expect(await lines(1440)).toEqual([1, 1, 1]);
    expect(await lines(360)).toEqual([2, 2, 2]);
    expect(await lines(320)).toEqual([2, 2, 2]);
  });

  test('shows the whole address of each entry on a desktop', async () => {
    const address = '2001:db8:1234:5678:9abc:def0:1234:5678';
    await section.panel.api.settings.change({ httpsRequired: true }, { ...ANN, address });
    for (const path of ['audit', './']) {
      page = await browser.open(path);
      for (const width of [1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(
          await page.evaluate(
            `[...document.querySelectorAll('#entries td.from')].map((one) => one.scrollWidth - one.clientWidth)`,
          ),
        ).toEqual([0, 0, 0, 0]);
      }
    }
  });

  test('shows the whole of an entry that is opened, by keyboard', async () => {
    page = await browser.open('audit');
    const entry = page.locator('summary', { hasText: 'changed a token' });
    await entry.focus();
    await entry.press('Enter');
    const note = entry.locator('.detail', { hasText: 'note' });
    expect((await note.boundingBox())?.height).toBeGreaterThan(40);
  });

  test('is filtered by the form, and again complete when the filter is removed', async () => {
    page = await browser.open('audit');
    await page.getByLabel('Action').selectOption('created a token');
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: 'Remove the filter From: 2026-01-01' }).click();
    expect(await page.locator('#entries tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Remove the filter Action: created a token' }).click();
    await page.locator('#entries tbody tr').nth(2).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
