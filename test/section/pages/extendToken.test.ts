import { describeOneEngine } from '../../fixture/databases';
import {
  hiddenFields,
  type SectionPanel,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;
const DAY = 86_400;

describeOneEngine('The page that extends a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const create = async (expiresInSeconds: number | null = 12 * DAY) => {
    const expiry = expiresInSeconds === null ? { expiresAt: null } : { expiresInSeconds };
    const request = { name: 'Billing', scopes: ['domains.read'], ...expiry };
    return (await section.panel.api.tokens.create(request, AUTHOR)).record;
  };
  const get = async (id: number) => (await section.panel.api.tokens.get(id))!;
  const extend = (id: number, expiresAt: string) =>
    section.send(`tokens/${id}/extend`, `tokens/${id}/extend`, { expires_at: expiresAt });
  /** Sends the form of a page that was opened before. */
  const extendOn = (id: number, page: string, expiresAt: string) => {
    const fields = Object.fromEntries(hiddenFields(page, `tokens/${id}/extend`));
    return section.send(`tokens/${id}`, `tokens/${id}/extend`, { ...fields, expires_at: expiresAt });
  };
  const offered = (text: string) =>
    [...text.matchAll(/name="expires_at" value="(\d+|never)">/g)].map(([, value = '']) => value);

  test('counts the days from the present expiry, and says so', async () => {
    const record = await create();
    const { text } = await section.get(`tokens/${record.id}/extend`);
    expect(wordsOf(text)).toMatch(/It expires in 1[12] days , at \S+ \S+ \. The days count from then\./);
    expect(offered(text)).toEqual([
      ...[30, 90, 365].map((days) => String(record.expiresAt! + days * DAY)),
      'never',
    ]);
  });

  test('extends by one click, and the page of the token says until when', async () => {
    const record = await create();
    const [month = ''] = offered((await section.get(`tokens/${record.id}/extend`)).text);
    const answer = await extend(record.id, month);
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      303,
      expect.stringContaining(`../../tokens/${record.id}?done=`),
    ]);
    expect((await get(record.id)).expiresAt).toBe(record.expiresAt! + 30 * DAY);
    const { text } = await section.follow(`tokens/${record.id}/extend`, answer);
    expect(wordsOf(text)).toMatch(/Extended\. It now expires in 4[12] days/);
    const [entry] = await section.panel.api.audit.list({ tokenId: record.id });
    expect(entry).toMatchObject({ action: 'token.extended', actor: 'ann', origin: 'api-section' });
  });

  test('extends once, however often the form is sent', async () => {
    const record = await create();
    const page = (await section.get(`tokens/${record.id}/extend`)).text;
    const until = String(record.expiresAt! + 30 * DAY);
    expect((await extendOn(record.id, page, until)).status).toBe(303);
    const { status, text } = await extendOn(record.id, page, until);
    expect([status, wordsOf(text).includes('ann changed the token')]).toEqual([409, true]);
    expect((await get(record.id)).expiresAt).toBe(Number(until));
  });

  test('does not make the grace time longer if another administrator rotates the token meanwhile', async () => {
    const record = await create();
    const page = (await section.get(`tokens/${record.id}/extend`)).text;
    const ben = { actor: 'ben', origin: 'panel' } as const;
    const { previous } = (await section.panel.api.tokens.rotate(record.id, { graceSeconds: DAY }, ben))!;
    for (const expiresAt of [offered(page)[0]!, 'never', '2099-12-31']) {
      const { status, text } = await extendOn(record.id, page, expiresAt);
      expect([status, wordsOf(text)]).toEqual([409, expect.stringContaining('ben changed the token')]);
      expect(offered(text)[0]).toBe(String(previous.expiresAt! + 30 * DAY));
    }
    expect(await get(record.id)).toMatchObject({
      expiresAt: previous.expiresAt,
      version: previous.version,
    });
    const { text } = await extendOn(record.id, page, 'never');
    expect((await extendOn(record.id, text, 'never')).status).toBe(303);
  });

  test('offers nothing more if the token was edited meanwhile so that it never expires', async () => {
    const record = await create();
    const page = (await section.get(`tokens/${record.id}/extend`)).text;
    await section.panel.api.tokens.update(record.id, { expiresAt: null }, AUTHOR);
    const { status, text } = await extendOn(record.id, page, '2099-12-31');
    expect([status, offered(text)]).toEqual([409, []]);
    expect(wordsOf(text)).toContain('ann changed the token');
    expect((await get(record.id)).expiresAt).toBeNull();
  });

  test('still notices the change after a wrong date', async () => {
    const record = await create();
    const page = (await section.get(`tokens/${record.id}/extend`)).text;
    await section.panel.api.tokens.update(record.id, { expiresInSeconds: 60 }, AUTHOR);
    const { status, text } = await extendOn(record.id, page, '2026-02-30');
    expect([status, (await extendOn(record.id, text, 'never')).status]).toEqual([400, 409]);
  });

  test('refuses a form without the version of the token', async () => {
    const record = await create();
    const page = await section.get(`tokens/${record.id}/extend`);
    const form = page.text.replaceAll('name="version"', 'name="other"');
    expect((await extendOn(record.id, form, 'never')).status).toBe(409);
    expect((await get(record.id)).expiresAt).toBe(record.expiresAt);
  });

  test('says that nothing was done if the token has ended meanwhile', async () => {
    const record = await create();
    const page = (await section.get(`tokens/${record.id}/extend`)).text;
    await section.panel.api.tokens.revoke(record.id, AUTHOR);
    const { status, text } = await extendOn(record.id, page, 'never');
    expect([status, wordsOf(text)]).toEqual([409, expect.stringContaining('so it was not extended')]);
    expect(text).toContain(`href="../../tokens/${record.id}"`);
    expect(await get(record.id)).toMatchObject({ state: 'revoked', version: record.version });
  });

  test('extends until the end of a date', async () => {
    const record = await create();
    expect((await extend(record.id, '2099-12-31')).status).toBe(303);
    expect((await get(record.id)).expiresAt).toBe(Date.parse('2099-12-31T23:59:59Z') / 1000);
  });

  test('lets the token never expire', async () => {
    const record = await create();
    const answer = await extend(record.id, 'never');
    expect([answer.status, (await get(record.id)).expiresAt]).toEqual([303, null]);
    const { text } = await section.follow(`tokens/${record.id}/extend`, answer);
    expect(wordsOf(text)).toContain('Extended. It no longer expires.');
  });

  test.each(['', 'soon', '2026-02-30', '1', '2000-01-01', '99999999999999'])(
    'refuses the expiry %j with a sentence',
    async (value) => {
      const record = await create();
      const { status, text } = await extend(record.id, value);
      expect([status, /role="alert">[^<]+</.test(text)]).toEqual([400, true]);
      expect(await get(record.id)).toMatchObject({ expiresAt: record.expiresAt, version: record.version });
    },
  );

  test('leads back to the page of a token that is not active or never expires', async () => {
    const [ended, everlasting] = [await create(), await create(null)];
    await section.panel.api.tokens.revoke(ended.id, AUTHOR);
    for (const { id } of [ended, everlasting]) {
      const { status, headers } = await section.get(`tokens/${id}/extend`);
      expect([status, headers.get('Location')]).toEqual([303, `../../tokens/${id}`]);
    }
  });
});
