import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

const AUTHOR = { actor: 'a.rather.long.name.of-an-administrator@example.com', origin: 'panel' } as const;

describe('On a phone, the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite', {}, { languages: { en: {}, de: {} } });
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

  test.each([
    [360, 'en'],
    [360, 'de'],
    [412, 'en'],
    [412, 'de'],
  ])('shows every filter whole, and none over another, at %i px in %s', async (width, locale) => {
    const { open } = await startBrowser(section, { locale });
    for (const path of ['tokens', 'audit']) {
      const page = await open(path);
      await page.setViewportSize({ width, height: 740 });
      await page.locator('.folded').click();
      expect(await page.evaluate(OVERLAPPING)).toEqual([]);
    }
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

  test.each([
    [360, 640, 'en'],
    [360, 640, 'de'],
    [390, 844, 'en'],
    [768, 1024, 'de'],
  ])(
    'never covers what has the focus in the form of a new token: %i × %i in %s',
    async (width, height, locale) => {
      const browser = await startBrowser(section, { locale, viewport: { width, height } });
      const page = await browser.open('tokens/new');
      await page.setViewportSize({ width, height });
      await page.goto(`${page.url()}?preset=billing`);
      await page.locator('#name').pressSequentially('Billing of the customers in the north');
      await page.locator('#summary form .primary').waitFor();
      const covered = [];
      for (let presses = 0; presses < 8; presses += 1) {
        const [name, bottom, top, part] = (await page.evaluate(FOCUS_AND_BAR)) as [
          string,
          number,
          number,
          number,
        ];
        if (bottom > top) covered.push(`${name}: ${bottom - top}`);
        expect(part).toBeLessThan(0.2);
        await page.keyboard.press('Tab');
      }
      expect(covered).toEqual([]);
    },
  );

  test('says in one line what token is created, and opens to say the rest', async () => {
    const page = await browser.open('tokens/new?preset=billing&name=Billing&expiry=90');
    await page.setViewportSize({ width: 360, height: 740 });
    const line = page.locator('#summary summary');
    await line.waitFor();
    expect(await line.textContent()).toMatch(/^6 scopes, expires in 90 days · Billing$/);
    expect(await page.getByText('any address', { exact: true }).isVisible()).toBe(false);
    await line.click();
    expect(await page.getByText('any address', { exact: true }).isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 740 });
    await page.reload();
    await page.getByText('any address', { exact: true }).waitFor();
    expect(await line.isVisible()).toBe(false);
  });

  test('shows in the list which account a token is bound to, and its id', async () => {
    const names = ['Shop', 'Shop'];
    for (const name of names)
      await section.panel.api.tokens.create({ name, scopes: ['domains.read'], accountId: '1' }, AUTHOR);
    const page = await browser.open('tokens?search=Shop');
    await page.setViewportSize({ width: 360, height: 740 });
    const rows = await page.locator('#tokens tbody tr').all();
    expect(rows).toHaveLength(names.length);
    for (const row of rows) {
      const id = await row.getAttribute('data-id');
      expect(await row.getByText(`#${id}`).isVisible()).toBe(true);
      expect(await row.getByText('anna').isVisible()).toBe(true);
    }
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

/** The filters that reach out of the form, and the pairs of which one covers the other. */
const OVERLAPPING = `(() => {
  const box = (one) => one.getBoundingClientRect();
  const form = document.getElementById('filters');
  const fields = [...form.querySelectorAll('label, input:not([type=hidden]), select, button')];
  const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const out = fields.filter((one) => box(one).right > box(form).left + form.clientWidth);
  const pairs = fields.flatMap((one, index) =>
    fields.slice(index + 1).filter((other) => covers(box(one), box(other))).map((other) => [one, other]));
  return [...out, ...pairs.flat()].map((one) => one.id || one.textContent);
})()`;

/** What has the focus and where it ends, where the summary begins, and which part of the window the summary takes. */
const FOCUS_AND_BAR = `(() => {
  const { activeElement } = document;
  const { top, height } = document.querySelector('.creating > .summary').getBoundingClientRect();
  const end = activeElement.closest('.summary') ? 0 : activeElement.getBoundingClientRect().bottom;
  return [activeElement.id || activeElement.outerHTML, end, top, height / innerHeight];
})()`;
