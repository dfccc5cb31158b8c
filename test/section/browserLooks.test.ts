import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { LayoutParts } from '../../section/ApiSectionOptions';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { SECTION, type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const AUTHOR = { actor: 'ann', origin: 'panel' } as const;

const PAGES = [
  'tokens',
  'tokens/new',
  'tokens/review?name=x&scope=*',
  'tokens/1',
  'tokens/1/revoke',
  'tokens/1/rotate',
  'audit',
  'settings',
  'reference',
  'tokens/999',
];

describe('Every page of the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    // The panel's rules for scripts hold for a tool that looks at its pages, too.
    browser = await startBrowser(section, { bypassCSP: true });
    const { token, record } = await section.panel.api.tokens.create(
      { name: 'Monitoring of the whole server', scopes: ['*'] },
      AUTHOR,
    );
    for (const path of ['domains.php', 'me.php', 'nothing.php'])
      await section.panel.get(`/api/v1/${path}`, token);
    await section.panel.api.tokens.create(
      { name: 'Another one', scopes: ['domains.read'], expiresInSeconds: 1000 },
      AUTHOR,
    );
    expect(record.id).toBe(1);
  });

  test.each(PAGES)('has no serious fault for assistive technology, in light and dark: %s', async (path) => {
    const page = await browser.open(path);
    for (const details of await page.locator('details').all())
      await details.evaluate((one) => one.setAttribute('open', ''));
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await seriousFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousFaults(page, ['color-contrast'])).toEqual([]);
    await page.close();
  });

  test.each(PAGES)('fits a phone, and has no fault for assistive technology there: %s', async (path) => {
    const page = await browser.open(path);
    await page.setViewportSize({ width: 360, height: 740 });
    const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    expect(widths).toEqual([360, 360]);
    expect(await seriousFaults(page)).toEqual([]);
    await page.close();
  });

  test('shows a name above its prefix, however short it is, and every mark on one line', async () => {
    await section.panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    const page = await browser.open('tokens?search=x');
    await page.setViewportSize({ width: 1000, height: 740 });
    const [name, prefix] = await Promise.all(
      ['a', 'code'].map((part) => page.locator(`#tokens tbody th ${part}`).first().boundingBox()),
    );
    expect(prefix!.y).toBeGreaterThanOrEqual(name!.y + name!.height - 1);
    const marks = await page.locator('.mark').all();
    expect(marks.length).toBeGreaterThan(1);
    for (const mark of marks) expect((await mark.boundingBox())!.height).toBeLessThan(30);
    await page.close();
  });

  test('is as light as a layout that knows no dark, in a browser that is dark', async () => {
    const layout = ({ head, content }: LayoutParts) =>
      `<!doctype html><html lang="en"><head><title>Panel</title>${head}</head><body bgcolor="#ffffff" text="#000000">${content}</body></html>`;
    const light = await startSectionPanel('sqlite', {}, { layout });
    const page = await browser.context.newPage();
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const path of ['tokens', 'settings']) {
      await page.goto(`${light.panel.url}${SECTION}/${path}`);
      expect(await seriousFaults(page, ['color-contrast'])).toEqual([]);
    }
    await page.close();
  });
});

describe('In the pages of the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    for (const name of hostileNames()) {
      await section.panel.api.tokens.create(
        { name, scopes: ['domains.read'] },
        { actor: name.slice(0, 128), origin: 'panel' },
      );
    }
    browser = await startBrowser(section);
  });

  test('three hundred hostile names are shown as text and do nothing', async () => {
    const seen = new Set<string>();
    const page = await browser.open('tokens');
    page.on('dialog', (dialog) => {
      throw new Error(`A name opened a dialog: ${dialog.message()}`);
    });
    for (;;) {
      for (const name of await page.locator('#tokens tbody th a').allInnerTexts()) seen.add(name);
      expect(await page.locator('img, iframe, object, embed, base, style, main script, svg').count()).toBe(0);
      const more = page.locator('a[rel="next"]');
      if ((await more.count()) === 0) break;
      await more.click();
    }
    expect(seen.size).toBeGreaterThanOrEqual(300);
    for (const path of ['audit', 'tokens/1', 'tokens/150', 'tokens/150/revoke', 'tokens/150/rotate']) {
      await page.goto(`${section.panel.url}${SECTION}/${path}`);
      expect(await page.locator('img, iframe, object, embed, base, style, main script').count()).toBe(0);
    }
    expect(browser.complaints).toEqual([]);
  });
});

function hostileNames(): readonly string[] {
  const forms = [
    (n: number) => `<script>alert(${n})</script>`,
    (n: number) => `"><img src=x onerror=alert(${n})>`,
    (n: number) => `' onmouseover='alert(${n})`,
    (n: number) => `</title><svg onload=alert(${n})>`,
    (n: number) => `javascript:alert(${n})//`,
    (n: number) => `&lt;b&gt;${n}&amp;#60;`,
    (n: number) => `\u202egnirts ${n}\u202c`,
    (n: number) => `{{constructor.constructor('alert(${n})')()}}`,
    (n: number) => `${n} <!-- --> ]]> \${alert(1)} <style>*{display:none}</style>`,
    (n: number) => `=cmd|'/c calc'!A${n}`,
  ];
  return Array.from({ length: 300 }, (_, index) => forms[index % forms.length]!(index));
}

/** What axe finds by all of its rules, or by these alone. */
async function seriousFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(`axe.run(${rules ? JSON.stringify({ runOnly: rules }) : ''})`);
  const { violations } = found as { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
