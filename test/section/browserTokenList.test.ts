import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';
import { createTokensOfAllKinds } from '../fixture/section/tokensOfAllKinds';

describe('In a browser, the list of tokens', () => {
  let section: SectionPanel;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    await createTokensOfAllKinds(section);
    browser = await startBrowser(section);
  });

  const names = () => page.locator('#tokens tbody tr:visible th a').allInnerTexts();
  const note = () => page.locator('#tokens-note').textContent();

  test('is filtered while the user types, also by #id', async () => {
    page = await browser.open('tokens');
    const all = await names();
    const field = page.getByRole('searchbox');
    await field.pressSequentially('ENDE');
    expect(await names()).toEqual(['Ended by hand', 'Ended last week']);
    await field.fill('#2');
    expect(await names()).toEqual(['Billing']);
    await field.fill('no such token');
    expect([await names(), await note()]).toEqual([[], 'No token matches.']);
    await field.fill('');
    expect([await names(), await note()]).toEqual([all, '']);
  });

  test('says that a match may be elsewhere if it shows only some tokens, and finds it', async () => {
    page = await browser.open('tokens?filter=ended');
    const field = page.getByRole('searchbox');
    await field.pressSequentially('billing');
    expect(await note()).toBe('No match on this page. Press Enter to search the other pages.');
    await field.press('Enter');
    await page.getByRole('link', { name: 'Remove the filter Search: billing' }).waitFor();
    expect(await names()).toEqual([]);
    await page.getByRole('link', { name: 'All 1' }).click();
    await page.locator('#tokens').waitFor();
    expect(await names()).toEqual(['Billing']);
  });

  test('does not send a whole token as a search, and says so', async () => {
    page = await browser.open('tokens');
    const field = page.getByRole('searchbox');
    await field.fill(`pnl_${'x'.repeat(46)}`);
    await field.press('Enter');
    expect([await note(), page.url()]).toEqual([
      expect.stringContaining('Which token is this?'),
      expect.not.stringContaining('pnl_'),
    ]);
  });

  test('is ordered by a press on a heading', async () => {
    page = await browser.open('tokens');
    for (const [heading, first] of [
      ['Token', /^A name that is as long/],
      ['Expires', /^Ends tomorrow/],
    ] as const) {
      await page.locator('thead').getByRole('link', { name: heading }).click();
      await page.getByRole('columnheader', { name: heading }).and(page.locator('[aria-sort]')).waitFor();
      expect((await names())[0]).toMatch(first);
    }
  });

  test('takes at most three lines for a token on a desktop, and seven on a phone', async () => {
    page = await browser.open('tokens');
    const rows = await page.locator('#tokens tbody tr').all();
    for (const [width, height] of [
      [1440, 90],
      [360, 205],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      for (const row of rows) expect((await row.boundingBox())!.height).toBeLessThan(height);
    }
  });

  test('leads from the whole row to the token, and opens its scopes and its actions by keyboard', async () => {
    page = await browser.open('tokens');
    const row = page.locator('#tokens tbody tr').nth(1);
    const scopes = row.getByRole('button', { name: '+2 scopes' });
    await scopes.press('Enter');
    await row.getByText('ssl.read').waitFor();
    await page.keyboard.press('Escape');
    expect(await row.getByText('ssl.read').isVisible()).toBe(false);
    await scopes.press('Enter');
    await row.getByRole('button', { name: 'Actions for' }).press('Enter');
    await row.getByRole('link', { name: 'Rotate' }).waitFor();
    expect(await row.getByText('ssl.read').isVisible()).toBe(false);
    const { x, y } = (await row.locator('.expires').boundingBox())!;
    await page.mouse.click(x + 5, y + 5);
    await page.getByRole('heading', { level: 1, name: /^A name that is as long/ }).waitFor();
  });

  test('closes what was opened at a click elsewhere, and a menu covers no other menu', async () => {
    page = await browser.open('tokens');
    const menus = page.getByRole('button', { name: 'Actions for' });
    const links = page.getByRole('link', { name: 'Revoke' });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await menus.first().click();
      expect(await links.count()).toBe(1);
      // The first click closes the menu of another row.
      await menus.nth(1).click();
      await page.locator('#tokens tbody tr').nth(1).locator('[popover]:popover-open').waitFor();
      await page.mouse.click(2, 2);
      expect(await links.count()).toBe(0);
    }
  });

  test('hides nothing that is needed at 1,100 px', async () => {
    page = await browser.open('tokens');
    await page.setViewportSize({ width: 1100, height: 800 });
    for (const cell of await page.locator('#tokens tbody tr').first().locator('th, td').all())
      expect(await cell.isVisible()).toBe(true);
  });

  test('is filtered at once by a choice of the pointer, by the link of a scope, and not by the arrow keys', async () => {
    page = await browser.open('tokens');
    const scope = page.getByLabel('May read');
    await scope.selectOption('settings.read');
    expect(page.url()).not.toContain('scope=');
    await scope.dispatchEvent('pointerdown');
    await scope.selectOption('email.read');
    await page.getByRole('link', { name: 'Remove the filter May read: email.read' }).waitFor();
    await page.locator('#tokens').getByRole('link', { name: 'email.read' }).first().click();
    expect(page.url()).toMatch(/tokens\?scope=email\.read$/);
  });

  test('is searched from the overview by a scope and Enter', async () => {
    page = await browser.open('');
    const search = page.getByRole('searchbox', { name: 'Find tokens' });
    await search.fill('email.read');
    await search.press('Enter');
    await page.getByRole('link', { name: 'Remove the filter Search: email.read' }).waitFor();
    expect(await names()).toEqual([
      expect.stringMatching(/^A name that is as long/),
      'Monitoring of the whole server',
    ]);
  });

  test('has a bar of the selected tokens that takes every click on it', async () => {
    page = await browser.open('tokens');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByLabel('Select all tokens on this page').check();
    await page.evaluate('scrollTo(0, 0)');
    expect(await page.evaluate(COVERED)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 740 });
    expect(await page.evaluate(COVERED)).toEqual([]);
  });

  test('selects all tokens on the page, or those that are shown, and revokes them together', async () => {
    page = await browser.open('tokens');
    const revoke = page.getByRole('button', { name: 'Revoke selected tokens' });
    expect(await revoke.isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('ends to');
    await page.getByLabel('Select all tokens on this page').check();
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Select Forgotten').check();
    await page.getByText('Selected: 2').waitFor();
    await revoke.press('Enter');
    expect(await page.locator('h1').textContent()).toBe('Revoke 2 tokens?');
    await page.getByRole('button', { name: 'Revoke 2 tokens' }).press('Enter');
    await page.getByRole('status').getByText('2 tokens are revoked: Forgotten, Ends tomorrow.').waitFor();
    expect(browser.complaints).toEqual([]);
  });
});

/** What is above the bar of the selected tokens, at points of a grid on it. */
const COVERED = `(() => {
  const bar = document.querySelector('[data-selection]');
  const { left, top, width, height } = bar.getBoundingClientRect();
  const found = new Set();
  for (let x = left + 8; x < left + width - 8; x += 6)
    for (let y = top + 8; y < top + height - 8; y += 6) {
      const hit = document.elementFromPoint(x, y);
      if (!bar.contains(hit)) found.add(hit && hit.outerHTML.slice(0, 60));
    }
  return [...found];
})()`;

test('Without JavaScript, tokens are searched by the server, and several are revoked together', async () => {
  const section = await startSectionPanel('sqlite');
  await createTokensOfAllKinds(section);
  const browser = await startBrowser(section, { javaScriptEnabled: false });
  let page = await browser.open('tokens');
  await page.getByLabel('May read').selectOption('settings.read');
  await page.getByRole('button', { name: 'Show' }).click();
  expect(await page.locator('#tokens tbody th a').allInnerTexts()).toEqual([
    'Monitoring of the whole server',
  ]);
  page = await browser.open('tokens');
  expect(await page.getByLabel('Select all tokens on this page').isVisible()).toBe(false);
  await page.getByRole('searchbox').fill('mon');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByLabel('Select Monitoring').check();
  await page.getByRole('button', { name: 'Revoke selected tokens' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('1 token is revoked').waitFor();
});
