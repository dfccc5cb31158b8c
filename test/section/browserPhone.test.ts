import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

const AUTHOR = { actor: 'a.rather.long.name.of-an-administrator@example.com', origin: 'panel' } as const;

describe('On a phone, the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    const { tokens, usage } = section.panel.api;
    const { token, record } = await tokens.create({ name: 'M'.repeat(128), scopes: ['*'] }, AUTHOR);
    for (const path of ['domains', 'server-health', 'nothing'])
      await section.panel.get(`/api/v1/${path}.php`, token);
    await tokens.rotate(record.id, { graceSeconds: 3600 }, AUTHOR);
    await usage.flush();
    await section.database.knex('panel_api_usage').update({ requests: 123_456_789 });
    browser = await startBrowser(section);
  });

  test.each(['tokens', 'tokens/1', 'tokens/1/revoke', 'audit', 'settings', 'reference'])(
    'is no wider than the screen, however long its names and numbers are: %s',
    async (path) => {
      const page = await browser.open(path);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    },
  );

  test('shows every value of an entry of the audit trail on the screen', async () => {
    const page = await browser.open('audit');
    await page.setViewportSize({ width: 360, height: 740 });
    const boxes = await Promise.all(
      (await page.locator('table tbody tr').first().locator('td').all()).map((cell) => cell.boundingBox()),
    );
    const shown = boxes.filter((box) => box !== null && box.width > 0);
    expect(shown.length).toBeGreaterThan(3);
    for (const box of shown) expect(box!.x + box!.width).toBeLessThanOrEqual(360);
  });
});
