import { pages } from '../../section/pages';
import type { LayoutParts } from '../../section/SectionOptions';
import { OWN_SWITCH } from '../fixture/ownSwitch';
import { AUTHOR } from '../fixture/panel';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { faults, lookAt, showAll } from '../fixture/section/lookAt';
import { SECTION, type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';
import { createTokensOfAllKinds } from '../fixture/section/tokensOfAllKinds';
import { isWhole } from '../prove/scale';

/** More than a page of tokens. */
const NAMES = isWhole ? 300 : 120;

/** What each page is asked for; every page of the section, and those that look different with other parameters. */
const PATHS = [
  ...pages.map(({ path }) => path.replace(':id', '2')).filter((path) => !/\.\w+$/.test(path)),
  'tokens?filter=ended',
  'tokens/revoke?id=2&id=6',
  'tokens?search=nothing',
  'tokens?scope=email.read&account=customer-3f2a9c1e-77&order=requests',
  'tokens/review?name=x&scope=*',
  'tokens/1',
  'tokens/6',
  'tokens/999',
];

describe('Every page of the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    // The panel's rules for scripts hold for a tool that looks at its pages, too.
    browser = await startBrowser(section, { bypassCSP: true });
    const [, token] = await createTokensOfAllKinds(section);
    for (const path of ['domains.php', 'me.php', 'nothing.php'])
      await section.panel.get(`/api/v1/${path}`, token);
    await section.panel.api.usage.flush();
  });

  test.each(PATHS)('fits every screen and has no fault for assistive technology: %s', async (path) => {
    const page = await browser.open(path);
    await lookAt(page);
  });

  test('has a ring round what has the focus that is no border of a choice', async () => {
    const page = await browser.open('tokens/new?preset=billing');
    const tile = page.locator('.purposes [aria-pressed="true"]');
    await page.keyboard.press('Shift+Tab');
    await tile.focus();
    const colours = await page.evaluate(`(() => {
      const { outlineColor, borderTopColor } = getComputedStyle(document.activeElement);
      return [outlineColor, borderTopColor];
    })()`);
    expect(new Set(colours as string[]).size).toBe(2);
  });

  test('puts each reason for attention nearer to its tokens than to the title of the card', async () => {
    const page = await browser.open('');
    const distances = (await page.evaluate(`(() => {
      const at = (selector) => document.querySelector(selector).getBoundingClientRect();
      const heading = at('.attention h3');
      return [heading.top - at('.card:has(.attention) h2').bottom, at('.attention li > a').top - heading.bottom];
    })()`)) as number[];
    expect(distances[0]).toBeGreaterThan(Number(distances[1]));
  });

  test('fits every screen and has no fault for assistive technology: a created token', async () => {
    const page = await browser.open('tokens/review?name=x&scope=*');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('#token').waitFor();
    await lookAt(page);
  });

  test('fits every screen and has no fault for assistive technology: the first rows', async () => {
    const page = await browser.open('tokens/review?name=x&scope=*');
    await page.getByRole('button', { name: 'Show the first rows' }).click();
    await page.getByRole('heading', { name: 'First rows' }).waitFor();
    await lookAt(page);
  });

  test('has no fault in the review of an edit, nor after another edit came first', async () => {
    const page = await browser.open('tokens/2/edit');
    await page.getByRole('checkbox', { name: 'Everything' }).check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Review the changes' }).waitFor();
    await lookAt(page);
    await section.panel.api.tokens.update(2, { rateLimit: 20, note: 'Changed meanwhile.' }, AUTHOR);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').filter({ hasText: 'changed the token meanwhile' }).waitFor();
    await lookAt(page);
  });
});

test('The overview of a new installation, with a list that fails, fits every screen and has no fault', async () => {
  const settings = { rows: () => Promise.reject(new Error('x')), fields: ['key', 'value'] } as const;
  const options = { ...OWN_SWITCH, sources: { settings: { ...settings, keys: ['language'] } } };
  const browser = await startBrowser(await startSectionPanel('sqlite', options), { bypassCSP: true });
  await lookAt(await browser.open(''));
});

test('The notices and the plan after a restore fit every screen and have no fault', async () => {
  const section = await startSectionPanel('sqlite', { installation: 'panel.example' });
  await createTokensOfAllKinds(section);
  const store = (name: string, value: string) =>
    section.database
      .knex('panel_api_settings')
      .insert({ name, value, updated_at: 1, updated_by: 'test' })
      .onConflict('name')
      .merge();
  await store('installation_name', 'another.example');
  await store('lost_history', '{"newest":null,"known":{"entry":99,"at":1700000000}}');
  // The token is revoked in an entry that the database does not have.
  const { fields } = section.panel.log.find(({ message }) => message === 'panel-api audit')!;
  const { rights, ...line } = fields as { readonly rights: object };
  const lost = { message: 'panel-api audit', ...line, entry: 99, action: 'token.revoked' };
  const browser = await startBrowser(section, { bypassCSP: true });
  const page = await browser.open('');
  await page.getByRole('button', { name: 'A copy: revoke all tokens' }).waitFor();
  await lookAt(page);
  await page.getByRole('link', { name: 'See what is to be done' }).click();
  const log = `${JSON.stringify({ ...lost, rights: { ...rights, revoked_at: 1 } })}\n{"message":"panel-api audit"`;
  await page.getByLabel('Lines of the log').fill(log);
  await page.getByRole('button', { name: 'Show what is to be done' }).click();
  await page.getByRole('button', { name: 'End 1 token again' }).waitFor();
  await lookAt(page);
  await page.getByRole('button', { name: 'End 1 token again' }).click();
  await page.getByText('The restore is dealt with: 1 token was ended or narrowed.').waitFor();
});

describe("In a panel's layout, the API section", () => {
  test.each([
    ['light in a browser that is dark', 'dark', '#ffffff', '#1c2430'],
    ['dark in a browser that is light, and does not declare it', 'light', '#20242b', '#cfd4dc'],
  ] as const)('is legible if the layout is %s', async (_what, colorScheme, background, text) => {
    const layout = ({ head, content }: LayoutParts) =>
      `<!doctype html><html lang="en"><head><title>Panel</title>${head}</head><body bgcolor="${background}" text="${text}">${content}</body></html>`;
    const section = await startSectionPanel('sqlite', { enabled: false }, { layout });
    await createTokensOfAllKinds(section);
    const browser = await startBrowser(section, { bypassCSP: true });
    const page = await browser.context.newPage();
    await page.emulateMedia({ colorScheme });
    for (const path of ['', 'tokens', 'tokens/2', 'tokens/new', 'settings', 'tokens/2/revoke']) {
      await page.goto(`${section.panel.url}${SECTION}/${path}`);
      await showAll(page);
      expect(await faults(page, ['color-contrast'])).toEqual([]);
    }
  });
});

describe('In the pages of the API section', () => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    for (const name of hostileNames()) {
      const { record } = await section.panel.api.tokens.create(
        { name: 'x', scopes: ['domains.read'] },
        { actor: name.slice(0, 128), origin: 'panel' },
      );
      // Some of them are refused today. An earlier version accepted them.
      await section.database.knex('panel_api_tokens').where({ id: record.id }).update({ name });
    }
    browser = await startBrowser(section);
  });

  test('hostile names are shown as text and do nothing', async () => {
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
    expect(seen.size).toBeGreaterThanOrEqual(NAMES);
    for (const path of ['audit', 'tokens/1', 'tokens/75', 'tokens/75/revoke', 'tokens/75/rotate']) {
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
  return Array.from({ length: NAMES }, (_, index) => forms[index % forms.length]!(index));
}
