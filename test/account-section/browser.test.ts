import { createMcp } from '../../index';
import { AUTHOR } from '../fixture/panel';
import { type AccountPanel, startAccountPanel } from '../fixture/section/accountPanel';
import { startCustomersBrowser, type TestBrowser } from '../fixture/section/browser';
import { lookAt } from '../fixture/section/lookAt';

const BERT = { actor: 'bert', origin: 'account-section', accountId: 2 } as const;

describe('Every page of the account section', () => {
  let section: AccountPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startAccountPanel('sqlite');
    createMcp({ api: section.panel.api });
    const { tokens, settings, usage } = section.panel.api;
    await settings.change({ assistantsEnabled: true, administratorsTokens: 'named' }, AUTHOR);
    const { token } = await tokens.create(
      { name: 'Backup script', scopes: ['domains.read', 'ssl.read'] },
      BERT,
    );
    for (const path of ['domains.php', 'me.php', 'nothing.php'])
      await section.panel.get(`/api/v1/${path}`, token);
    const { record } = await tokens.create({ name: 'M'.repeat(128), scopes: ['domains.read'] }, BERT);
    await tokens.revoke(record.id, BERT);
    await tokens.create(
      { name: 'Of an administrator', scopes: ['*'], accountId: 2, expiresAt: null },
      AUTHOR,
    );
    await usage.flush();
    // The panel's rules for scripts hold for a tool that looks at its pages, too.
    browser = await startCustomersBrowser(section, { bypassCSP: true });
  });

  test.each([
    'tokens',
    'tokens/new',
    'tokens/1',
    'tokens/2',
    'tokens/3',
    'tokens/1/extend',
    'tokens/1/rotate',
    'tokens/1/revoke',
    'tokens/999',
  ])('fits every screen and has no fault for assistive technology: %s', async (path) => {
    await lookAt(await browser.open(path));
    // The last page is answered with 404.
    expect(browser.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('leads in five clicks to a request that works', async () => {
    const page = await browser.open('tokens');
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'New token' }).click();
    // The field of the name has the focus. Before the page is there, the keys would be lost.
    await page.locator('#name:focus').waitFor();
    await page.keyboard.type('Certificate watch');
    await page.getByLabel('Domains').click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Copy the request' }).waitFor();
    await lookAt(page);
    await page.getByRole('button', { name: 'Copy the request' }).click();
    await page.getByText('Copied', { exact: true }).first().waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const [, token, url] = /^curl -s -H 'Authorization: Bearer (\S+)' '(\S+)'$/.exec(copied) ?? [];
    const { pathname, search } = new URL(url ?? '');
    const { status, body } = await section.panel.get(pathname + search, token);
    expect([status, body.data.items]).toEqual([200, [expect.objectContaining({ domain: 'bert.example' })]]);
  });
});
