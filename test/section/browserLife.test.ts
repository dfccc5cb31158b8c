import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';
import { isWhole } from '../prove/scale';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('In a browser %s', (_which, javaScriptEnabled) => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    browser = await startBrowser(section, { javaScriptEnabled });
  });

  const heading = (page: Page) => page.locator('h1').textContent();
  const create = (name: string) =>
    section.panel.api.tokens.create({ name, scopes: ['domains.read'], expiresInSeconds: 86_400 }, AUTHOR);
  const ask = (token: string) => section.panel.get('/api/v1/domains.php', token);

  test('a token lives its whole life by mouse', async () => {
    const page = await browser.open('tokens');
    await page.getByRole('link', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('By mouse');
    await page.getByRole('button', { name: 'Billing' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('By mouse');
    await page.getByRole('button', { name: 'Billing', pressed: true }).waitFor();
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect((await ask(token)).status).toBe(200);

    await page.getByRole('link', { name: 'Done' }).click();
    expect(await heading(page)).toBe('By mouse');
    await page.getByRole('link', { name: 'Rotate' }).click();
    await page.getByLabel('an hour').check();
    await page.getByRole('button', { name: 'Rotate token' }).click();
    const rotated = await page.getByLabel('Token', { exact: true }).inputValue();
    expect([(await ask(token)).status, (await ask(rotated)).status]).toEqual([200, 200]);

    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    expect(await page.locator('.subtitle .state').textContent()).toBe('revoked');
    expect((await ask(rotated)).body.error?.code).toBe('token_revoked');
    expect(browser.complaints).toEqual([]);
  });

  test('a token is created and revoked by the keyboard alone', async () => {
    const page = await browser.open('tokens/new');
    const keys = page.keyboard;
    // The first purpose has the focus from the start.
    await page.locator('.purposes button:focus').waitFor();
    await tabTo(page, '.own-scopes > summary');
    await keys.press('Enter');
    await tabTo(page, 'input[value="domains.read"]');
    await keys.press('Space');
    await tabTo(page, '#name');
    await keys.type('By keyboard');
    await keys.press('Enter');
    // Enter presses the first button of a form, which must be the one that goes on.
    if (!javaScriptEnabled) await page.getByRole('heading', { name: 'Summary', level: 1 }).waitFor();
    if (javaScriptEnabled) await page.locator('#summary form .primary:focus').waitFor();
    else await tabTo(page, 'button.primary');
    await keys.press('Enter');
    await page.locator('#token').waitFor();
    await tabTo(page, 'a[href*="tokens/"]');
    await keys.press('Enter');
    await tabTo(page, 'a.danger');
    await keys.press('Enter');
    await tabTo(page, 'button.danger');
    await keys.press('Enter');
    await page.locator('.subtitle .state.revoked').waitFor();
    expect(await heading(page)).toBe('By keyboard');
  });

  test('a token is edited by mouse, with a review of what it gains', async () => {
    const { record } = await create('Edited');
    const page = await browser.open(`tokens/${record.id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Billing' }).click();
    await page.getByRole('button', { name: 'Billing', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Review the changes of Edited' }).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    expect((await section.panel.api.tokens.get(record.id))?.scopes).toContain('email.read');
    expect(browser.complaints).toEqual([]);
  });

  test('the numbers of a day are read by mouse, and by the arrow keys or in the table', async () => {
    const { token, record } = await create('In use');
    await ask(token);
    await section.panel.api.usage.flush();
    const page = await browser.open(`tokens/${record.id}`);
    const [today, before] = [page.locator('.day').last(), page.locator('.day').nth(-2)];
    expect(await today.locator('.tip').isVisible()).toBe(false);
    await today.hover();
    expect(await today.locator('.tip').allInnerTexts()).toEqual([expect.stringMatching(/\n1 request$/)]);
    await page.mouse.move(0, 0);
    if (javaScriptEnabled) {
      await tabTo(page, '.day');
      expect(await today.locator('.tip').isVisible()).toBe(true);
      await page.keyboard.press('ArrowLeft');
      expect(await before.locator('.tip').allInnerTexts()).toEqual([expect.stringMatching(/\n0 requests$/)]);
      await page.keyboard.press('Escape');
      expect(await before.locator('.tip').isVisible()).toBe(false);
      await page.keyboard.press('End');
      expect(await today.locator('.tip').isVisible()).toBe(true);
    }
    expect(await page.getByRole('row', { name: /domains 1 0/ }).isVisible()).toBe(true);
  });

  // No script has a part in these.
  if (!javaScriptEnabled && !isWhole) return;

  test('a token is renamed by the keyboard alone', async () => {
    const { record } = await create('Old name');
    const page = await browser.open(`tokens/${record.id}`);
    await tabTo(page, 'a[href$="/edit"]');
    await page.keyboard.press('Enter');
    await tabTo(page, '#name');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('New name');
    // Enter presses the first button of the form, which must not be a preset.
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    expect(await heading(page)).toBe('New name');
  });

  test('an ended token is duplicated by mouse', async () => {
    const { record } = await create('Once ended');
    await section.panel.api.tokens.revoke(record.id, AUTHOR);
    const page = await browser.open(`tokens/${record.id}`);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Once ended');
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect((await ask(token)).status).toBe(200);
  });

  test('a token is extended in three clicks', async () => {
    const { record } = await create('Ends soon');
    const page = await browser.open('tokens');
    await page.getByRole('link', { name: 'Ends soon' }).click();
    await page.getByRole('link', { name: 'Extend' }).click();
    await page.getByRole('button', { name: 'Extend by 90 days' }).click();
    await page.getByRole('status').filter({ hasText: 'Extended. It now expires in ' }).waitFor();
    const extended = await section.panel.api.tokens.get(record.id);
    expect(extended?.expiresAt).toBe(record.expiresAt! + 90 * 86_400);
  });

  test('a token is extended until a date by the keyboard alone', async () => {
    const { record } = await create('Ends too soon');
    const page = await browser.open(`tokens/${record.id}`);
    await tabTo(page, 'a[href$="/extend"]');
    await page.keyboard.press('Enter');
    await tabTo(page, 'input[type="date"]');
    await page.keyboard.type('12312099');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Extended.' }).waitFor();
    expect((await section.panel.api.tokens.get(record.id))?.expiresAt).toBe(4_102_444_799);
  });
});

/** Presses Tab until the first element of the selector has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
  }
  throw new Error(`Tab never reached ${selector}.`);
}
