import type { Page } from 'playwright-core';
import { pages } from '../../section/pages';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';
import { createTokensOfAllKinds } from '../fixture/section/tokensOfAllKinds';
import { isWhole } from '../prove/scale';

/** Every page that a link leads to. */
const PATHS = pages
  .map(({ path }) => path.replace(':id', '2'))
  .filter((path) => !/\.\w+$/.test(path) && path !== 'tokens/review' && path !== 'tokens/revoke')
  .concat('tokens/review?name=x&scope=*', 'tokens/revoke?id=2&id=6');

const WITH = ['with JavaScript', true] as const;
const WITHOUT = ['without JavaScript', false] as const;

describe.each(isWhole ? [WITH, WITHOUT] : [WITH])('By keyboard, %s,', (_how, javaScriptEnabled) => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    browser = await startBrowser(section, { javaScriptEnabled });
    await createTokensOfAllKinds(section);
  });

  test.each(PATHS)('everything on a page can be reached, and shows its focus: %s', async (path) => {
    const page = await browser.open(path);
    // The script replaces the summary of a form that is filled in.
    if ((await page.locator('[data-summarized]').count()) > 0) await page.waitForLoadState('networkidle');
    const wanted = (await page.evaluate(NUMBER_CONTROLS)) as number;
    expect(wanted).toBeGreaterThan(5);
    const reached = await walk(page, wanted);
    expect(reached.missing).toEqual([]);
    expect(reached.invisible).toEqual([]);
  });
});

// One radio button of a group has a place in the order of Tab.
const NUMBER_CONTROLS = `(() => {
  const groups = new Set();
  const controls = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled'))
    .filter((one) => {
      if (one.type !== 'radio') return true;
      const others = [...one.form.elements[one.name]];
      const stop = others.find(({ checked }) => checked) ?? others[0];
      return one === stop && !groups.has(one.name) && groups.add(one.name);
    });
  controls.forEach((one, index) => { one.dataset.control = index; });
  document.activeElement.blur();
  return controls.length;
})()`;

const FOCUSED = `(() => {
  const { dataset: { control }, outerHTML } = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return [control, outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1, outerHTML.slice(0, 80)];
})()`;

/** Presses Tab until every control had the focus, but not for ever. */
async function walk(page: Page, wanted: number) {
  const reached = new Set<string>();
  const invisible: string[] = [];
  // A date has several parts, and the browser's own controls come between two rounds.
  for (let presses = 0; presses < 3 * wanted + 20 && reached.size < wanted; presses += 1) {
    await page.keyboard.press('Tab');
    const [control, isVisible, tag] = (await page.evaluate(FOCUSED)) as [string | undefined, boolean, string];
    if (control === undefined) continue;
    reached.add(control);
    if (!isVisible) invisible.push(tag);
  }
  const missing: string[] = [];
  for (let control = 0; control < wanted; control += 1) {
    if (reached.has(String(control))) continue;
    missing.push(
      await page.locator(`[data-control="${control}"]`).evaluate((one) => one.outerHTML.slice(0, 120)),
    );
  }
  return { missing, invisible };
}
