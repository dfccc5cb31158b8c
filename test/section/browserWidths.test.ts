import type { Page } from 'playwright-core';
import { createMcp } from '../../index';
import { pages } from '../../section/pages';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { createWorstTokens } from '../fixture/section/createWorstTokens';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';
import { isWhole } from '../prove/scale';

const SOME = [320, 360, 390, 412, 480, 600, 720, 768, 820, 920, 1004, 1024, 1064, 1090, 1280, 1600];
const ALL = Array.from({ length: (1600 - 320) / 4 + 1 }, (_, index) => 320 + 4 * index);

const PATHS = [
  ...pages.map(({ path }) => path.replace(':id', '2')).filter((path) => !/\.\w+$/.test(path)),
  'tokens?filter=ended',
  'tokens?scope=email.read&search=a&account=12345678',
  'tokens/revoke?id=1&id=2&id=5',
  'tokens/review?name=x&scope=*',
  'tokens/1',
  'tokens/5/extend',
  'audit?actor=anybody&token=%231&action=token.created',
];

describe.each(['en', 'de'])('With the longest names and most scopes, in %s,', (locale) => {
  let section: SectionPanel;
  let browser: TestBrowser;
  let token: string;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite', {}, { languages: { en: {}, de: {} } });
    createMcp({ api: section.panel.api });
    token = await createWorstTokens(section);
    browser = await startBrowser(section, { locale });
  });

  /** The widths at which the page is wider than the window, also with each of its menus open. */
  async function tooWide(page: Page): Promise<readonly string[]> {
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    const found: string[] = [];
    for (const width of isWhole ? ALL : SOME) {
      await page.setViewportSize({ width, height: 800 });
      const actual = (await page.evaluate(WIDEST)) as number;
      if (actual > width) found.push(`${width}: ${actual}`);
    }
    return found;
  }

  test.each(PATHS)('no page scrolls sideways at any width: %s', async (path) => {
    expect(await tooWide(await browser.open(path))).toEqual([]);
  });

  test('no page scrolls sideways at any width: a created token', async () => {
    const page = await browser.open('tokens/review?name=x&scope=*');
    await page.locator('button.primary').click();
    await page.locator('#token').waitFor();
    expect(await tooWide(page)).toEqual([]);
  });

  test('no page scrolls sideways at any width: the tokens in a text', async () => {
    const page = await browser.open('tokens/find');
    await page.locator('#text').fill(`${token} `);
    await page.locator('main .primary').click();
    await page.waitForURL(/tokens\/(?:find|2)$/);
    expect(await tooWide(page)).toEqual([]);
  });
});

const WIDEST = `(() => {
  const width = () => document.documentElement.scrollWidth;
  const open = [...document.querySelectorAll('[popover]')].map((one) => {
    one.showPopover();
    const { left, right } = one.getBoundingClientRect();
    one.hidePopover();
    return left < 0 ? Infinity : Math.ceil(right);
  });
  return Math.max(width(), ...open);
})()`;
