import type { Locator } from 'playwright-core';
import { OWN_SWITCH } from '../fixture/ownSwitch';
import { startBrowser } from '../fixture/section/browser';
import { startSectionPanel } from '../fixture/section/sectionPanel';

test('Five clicks lead from a panel whose API is off to a copied command that is answered with 200', async () => {
  const section = await startSectionPanel('sqlite', OWN_SWITCH);
  const browser = await startBrowser(section, { permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await browser.open('');
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const button = (name: string) => page.getByRole('button', { name });

  await click(button('Switch the API on'));
  await click(page.getByRole('link', { name: 'Create a token' }));
  await click(button('Monitoring'));
  // The choice of a purpose leads to the name.
  await page.locator('#name:focus').waitFor();
  await page.keyboard.type('Monitoring of the server');
  await click(button('Create token'));
  await click(page.locator('[data-copy="curl"]'));

  const command = await page.evaluate('navigator.clipboard.readText()');
  const [, token = '', url = ''] =
    /^curl -s -H 'Authorization: Bearer (\w+)' (\S+)$/.exec(String(command)) ?? [];
  const { status } = await section.panel.get(url.replace(section.panel.url, ''), token);
  expect([clicks, status]).toEqual([5, 200]);
  expect(browser.complaints).toEqual([]);
});
