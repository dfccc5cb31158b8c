import { OWN_SWITCH } from '../fixture/ownSwitch';
import { startBrowser, type TestBrowser } from '../fixture/section/browser';
import { startOtherSite } from '../fixture/section/otherSite';
import { hiddenFields, SECTION, type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

const REVIEW = 'tokens/review?name=Stolen&scope=*';

/** All ways in which a page loads an address. */
const TAGS = [
  (url: string) => `<iframe src="${url}"></iframe>`,
  (url: string) => `<embed src="${url}">`,
  (url: string) => `<object data="${url}"></object>`,
  (url: string) => `<img src="${url}">`,
  (url: string) => `<script src="${url}"></script>`,
  (url: string) => `<link rel="stylesheet" href="${url}">`,
  (url: string) => `<video src="${url}"></video>`,
  (url: string) => `<script>fetch('${url}', { mode: 'no-cors' }).catch(() => 0)</script>`,
  (url: string) => `<script>fetch('${url}').catch(() => 0)</script>`,
];

// Another host is another site, another port of the same host is the same site but not the same origin.
describe.each(['localhost', '127.0.0.1'])('A page of another origin, at %s,', (host) => {
  let section: SectionPanel;
  let browser: TestBrowser;

  beforeAll(async () => {
    // Every request is signed in: no rule about cookies protects the panel here.
    section = await startSectionPanel('sqlite', OWN_SWITCH, { authorize: () => 'ann' });
    browser = await startBrowser(section);
  });

  const state = async () => {
    const { tokens, settings, audit } = section.panel.api;
    return [(await tokens.list()).map(({ id }) => id), await settings.read(), await audit.list()];
  };

  /** A form with the hidden fields of a real one, as if another person had stolen them. */
  const formOf = async (page: string, action: string, fields: Readonly<Record<string, string>> = {}) => {
    const stolen = hiddenFields((await section.get(page)).text, action);
    expect(stolen.map(([name]) => name)).toContain('form_token');
    const inputs = [...stolen, ...Object.entries(fields)].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`,
    );
    return `<form method="post" action="${section.panel.url}${SECTION}/${action}">${inputs.join('')}</form>`;
  };

  /** Opens the page elsewhere, and returns the answer of the section to the form on it. */
  const submitted = async (form: string) => {
    const other = await startOtherSite(host, form);
    const page = await browser.context.newPage();
    await page.goto(other.url);
    await Promise.all([
      page.waitForURL(`${section.panel.url}${SECTION}/**`),
      page.evaluate('document.forms[0].submit()'),
    ]);
    const text = await page.content();
    await page.close();
    return text;
  };

  test.each<[string, string, Record<string, string>]>([
    ['create a token', REVIEW, {}],
    [
      'change the settings',
      'settings',
      { enabled: 'on', rate_limit_requests: '1', default_expiry_days: '0' },
    ],
  ])('cannot %s by a form that it sends by itself', async (_what, page, fields) => {
    const action = page === REVIEW ? 'tokens' : page;
    const form = await formOf(page, action, fields);
    const before = await state();
    const text = await submitted(form);
    expect(text).toContain('The form was not sent from the API section. Nothing was changed.');
    expect(text).not.toMatch(/pnl_[0-9A-Za-z]{46}/);
    expect(await state()).toEqual(before);
  });

  test('sends forms that would do their work if they were sent from the section', async () => {
    const page = await browser.open('settings');
    const form = await formOf(REVIEW, 'tokens');
    const before = await section.panel.api.tokens.list();
    await page.evaluate((html) => {
      const holder = (globalThis as unknown as { document: PageDocument }).document.body;
      holder.innerHTML = html;
      holder.querySelector('form').submit();
    }, form);
    await page.locator('#token').waitFor();
    expect(await section.panel.api.tokens.list()).toHaveLength(before.length + 1);
    await page.close();
  });

  test('cannot show the section in a frame, nor make it do any work by loading it in any way', async () => {
    const urlOf = (index: number) => `${section.panel.url}${SECTION}/${REVIEW}&way=${index}`;
    const other = await startOtherSite(host, TAGS.map((tag, index) => tag(urlOf(index))).join(''));
    const page = await browser.context.newPage();
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    section.database.knex.on('query', note);
    // Chromium reports most of these as failed when their answer arrives, whatever it is.
    const over = TAGS.map((_tag, index) => {
      const isIt = (request: { url(): string }) => request.url() === urlOf(index);
      return Promise.any([
        page.waitForEvent('requestfinished', isIt),
        page.waitForEvent('requestfailed', isIt),
      ]);
    });
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().startsWith(section.panel.url)) statuses.push(response.status());
    });
    await page.goto(other.url);
    await Promise.all(over);
    section.database.knex.off('query', note);
    expect(statements).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([403]));
    await page.waitForLoadState('networkidle');
    const texts = await Promise.all(page.frames().map((frame) => frame.content()));
    expect(texts[0]).toContain('<iframe');
    expect(texts.slice(1).filter((text) => text.includes('api-section'))).toEqual([]);
    await page.close();
  });

  test('can link to a page of the section', async () => {
    const other = await startOtherSite(host, `<a href="${section.panel.url}${SECTION}/tokens">Tokens</a>`);
    const page = await browser.context.newPage();
    await page.goto(other.url);
    await page.locator('a').click();
    await page.locator('.api-section h1', { hasText: 'Tokens' }).waitFor();
    await page.close();
  });

  test('cannot read the section by a script', async () => {
    const other = await startOtherSite(host, '');
    const page = await browser.context.newPage();
    await page.goto(other.url);
    for (const mode of ['cors', 'no-cors']) {
      const init = JSON.stringify({ mode, credentials: 'include' });
      const read = `fetch('${section.panel.url}${SECTION}/audit.json', ${init}).then(
        (response) => response.type, () => 'refused')`;
      expect([mode, await page.evaluate(read)]).toEqual([mode, 'refused']);
    }
    await page.close();
  });
});

interface PageDocument {
  readonly body: { innerHTML: string; querySelector(selector: string): { submit(): void } };
}
