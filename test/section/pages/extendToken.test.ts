import { describeEachEngine } from '../../fixture/databases';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;
const DAY = 86_400;

describeEachEngine('The page that extends a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const create = async (expiresInSeconds: number | null = 12 * DAY) => {
    const expiry = expiresInSeconds === null ? {} : { expiresInSeconds };
    const request = { name: 'Billing', scopes: ['domains.read'], ...expiry };
    return (await section.panel.api.tokens.create(request, AUTHOR)).record;
  };
  const get = async (id: number) => (await section.panel.api.tokens.get(id))!;
  const extend = (id: number, expiresAt: string) =>
    section.send(`tokens/${id}/extend`, `tokens/${id}/extend`, { expires_at: expiresAt });
  const offered = (text: string) =>
    [...text.matchAll(/value="(\d+|never)">/g)].map(([, value = '']) => value);

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
    const { status, headers } = await extend(record.id, month);
    expect([status, headers.get('Location')]).toEqual([303, `../../tokens/${record.id}?done=extended`]);
    expect((await get(record.id)).expiresAt).toBe(record.expiresAt! + 30 * DAY);
    const { text } = await section.get(`tokens/${record.id}?done=extended`);
    expect(wordsOf(text)).toMatch(/Extended\. It now expires in 4[12] days/);
    const [entry] = await section.panel.api.audit.list({ tokenId: record.id });
    expect(entry).toMatchObject({ action: 'token.extended', actor: 'ann', origin: 'api-section' });
  });

  test('extends once, however often the form is sent', async () => {
    const record = await create();
    const until = String(record.expiresAt! + 30 * DAY);
    expect((await extend(record.id, until)).status).toBe(303);
    const { status, text } = await extend(record.id, until);
    expect([status, wordsOf(text).includes('later than the present one')]).toEqual([400, true]);
    expect((await get(record.id)).expiresAt).toBe(Number(until));
  });

  test('extends until the end of a date', async () => {
    const record = await create();
    expect((await extend(record.id, '2099-12-31')).status).toBe(303);
    expect((await get(record.id)).expiresAt).toBe(Date.parse('2099-12-31T23:59:59Z') / 1000);
  });

  test('lets the token never expire', async () => {
    const record = await create();
    expect((await extend(record.id, 'never')).status).toBe(303);
    expect((await get(record.id)).expiresAt).toBeNull();
    const { text } = await section.get(`tokens/${record.id}?done=extended`);
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
