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

  test('takes one line for a token on a desktop, and three on a phone, four if its name is long', async () => {
    page = await browser.open('tokens');
    const rows = await page.locator('#tokens tbody tr').all();
    for (const [width, height] of [
      [1440, 50],
      [360, 128],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      for (const row of rows) expect((await row.boundingBox())!.height).toBeLessThan(height);
    }
  });

  test('leads from the whole row to the token, and opens its scopes and its actions by keyboard', async () => {
    page = await browser.open('tokens');
    const row = page.locator('#tokens tbody tr').nth(1);
    const scopes = row.locator('summary').first();
    await scopes.press('Enter');
    await row.getByText('databases.read').waitFor();
    await row.locator('summary').last().press('Enter');
    await row.getByRole('link', { name: 'Rotate' }).waitFor();
    expect(await row.getByText('databases.read').isVisible()).toBe(false);
    const { x, y } = (await row.locator('.expires').boundingBox())!;
    await page.mouse.click(x + 5, y + 5);
    await page.getByRole('heading', { level: 1, name: /^A name that is as long/ }).waitFor();
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

  test('is filtered from the overview by an account and Enter, and by one choice of the pointer', async () => {
    page = await browser.open('');
    const account = page.getByLabel('Account', { exact: true });
    await account.fill('customer-3f2a9c1e-77');
    await account.press('Enter');
    await page.getByRole('link', { name: /^Remove the filter Account/ }).waitFor();
    expect(await names()).toEqual([expect.stringMatching(/^A name that is as long/)]);
    page = await browser.open('');
    await page.getByLabel('May read').dispatchEvent('pointerdown');
    await page.getByLabel('May read').selectOption('settings.read');
    await page.getByRole('link', { name: 'Remove the filter May read: settings.read' }).waitFor();
    expect(await names()).toEqual(['Monitoring of the whole server']);
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

test('Without JavaScript, tokens are searched by the server, and several are revoked together', async () => {
  const section = await startSectionPanel('sqlite');
  await createTokensOfAllKinds(section);
  const browser = await startBrowser(section, { javaScriptEnabled: false });
  let page = await browser.open('');
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
