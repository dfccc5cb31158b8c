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

  test('folds the filters behind a button that says how many are set', async () => {
    const page = await browser.open('tokens?scope=domains.read');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters: 1' }).click();
    expect(await page.getByRole('searchbox').isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 740 });
    expect(await page.getByRole('button', { name: 'Filters: 1' }).isVisible()).toBe(false);
  });

  test('does not fold the filters while one of them is wrong', async () => {
    const accounts = [70, 71].map((id) => ({ id, username: 'twin', status: 'active' }));
    await section.database.knex('accounts').insert(accounts);
    const page = await browser.open('tokens?account=twin');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.getByText('Several accounts have the login name').isVisible()).toBe(true);
    expect(await page.locator('#account').isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test('shows the button that creates a token in the window, however long the summary is', async () => {
    const page = await browser.open(`tokens/new?name=${'M'.repeat(90)}&scope=*&expiry=never`);
    await page.setViewportSize({ width: 360, height: 740 });
    const create = page.getByRole('button', { name: 'Create token' });
    await create.waitFor();
    const button = (await create.boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual(740);
  });

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
