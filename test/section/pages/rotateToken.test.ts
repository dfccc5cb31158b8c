import { describeOneEngine } from '../../fixture/databases';
import {
  hiddenFields,
  type SectionPanel,
  shownToken,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;
const DAY = 86_400;

describeOneEngine('The page that rotates a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const create = async () => {
    const request = { name: 'Billing', scopes: ['domains.read'], expiresInSeconds: 20 * DAY };
    return (await section.panel.api.tokens.create(request, AUTHOR)).record;
  };
  const rotate = async (id: number, fields: Readonly<Record<string, string>>) => {
    const answer = await section.send(`tokens/${id}/rotate`, `tokens/${id}/rotate`, fields);
    const [newest] = await section.panel.api.tokens.list();
    return { ...answer, newest: newest! };
  };

  test('keeps the expiry by default, which it names', async () => {
    const record = await create();
    const { text } = await section.get(`tokens/${record.id}/rotate`);
    expect(wordsOf(text)).toMatch(/As now: in 20 days/);
    expect(text).toMatch(/value="keep" checked/);
    const { newest } = await rotate(record.id, { grace: '3600', expiry: 'keep' });
    expect([newest.lineage, newest.expiresAt]).toEqual([record.id, record.expiresAt]);
  });

  test('gives the successor of a token that ends soon the same time to live, unless another is chosen', async () => {
    const { id, createdAt } = await create();
    await section.database
      .knex('panel_api_tokens')
      .where({ id })
      .update({ created_at: createdAt - 89 * DAY, expires_at: createdAt + DAY - 3600 });
    const { text } = await section.get(`tokens/${id}/rotate`);
    expect(wordsOf(text)).toContain('As now: in 23 hours');
    expect(text).toMatch(/value="90" checked/);
    expect(text).not.toMatch(/value="keep" checked/);
  });

  test('gives the new token another expiry if one is chosen', async () => {
    const [first, second, third] = [await create(), await create(), await create()];
    const days = await rotate(first.id, { grace: '300', expiry: '90' });
    expect(days.newest.expiresAt).toBe(days.newest.createdAt + 90 * DAY);
    const never = await rotate(second.id, { grace: '300', expiry: 'never' });
    expect(never.newest.expiresAt).toBeNull();
    const date = await rotate(third.id, { grace: '300', expiry: 'date', expiry_date: '2099-12-31' });
    expect(date.newest.expiresAt).toBe(Date.parse('2099-12-31T23:59:59Z') / 1000);
  });

  test('takes a typed date although its choice was not selected', async () => {
    const { newest } = await rotate((await create()).id, {
      grace: '300',
      expiry: 'keep',
      expiry_date: '2099-12-31',
    });
    expect(newest.expiresAt).toBe(Date.parse('2099-12-31T23:59:59Z') / 1000);
  });

  test.each([
    [{ grace: '3600', expiry: 'date' }, 'Choose the date'],
    [{ grace: '3600', expiry: '30', expiry_date: '2000-01-01' }, 'in the future'],
    [{ grace: '3600', expiry: 'soon' }, 'expiry'],
    [{ grace: '99999999' }, 'grace'],
    [{ grace: '0' }, 'To end a token at once, revoke it.'],
  ])('refuses %j with a sentence, and keeps what was chosen', async (fields, sentence) => {
    const record = await create();
    const { status, text } = await rotate(record.id, fields);
    expect([status, shownToken(text)]).toEqual([400, undefined]);
    expect(/role="alert">([^<]*)</.exec(text)?.[1]).toContain(sentence);
    if (fields.grace === '3600') expect(text).toMatch(/value="3600" checked/);
    expect((await section.panel.api.tokens.get(record.id))?.rotatedAt).toBeNull();
  });

  test('says that nothing was done if the token was rotated or revoked meanwhile', async () => {
    for (const action of ['rotate', 'revoke'] as const) {
      const { id } = await create();
      const page = (await section.get(`tokens/${id}/rotate`)).text;
      if (action === 'rotate') await section.panel.api.tokens.rotate(id, { graceSeconds: 300 }, AUTHOR);
      else await section.panel.api.tokens.revoke(id, AUTHOR);
      const count = (await section.panel.api.tokens.list()).length;
      const fields = Object.fromEntries(hiddenFields(page, `tokens/${id}/rotate`));
      const { status, text } = await section.send(`tokens/${id}`, `tokens/${id}/rotate`, {
        ...fields,
        grace: '300',
        expiry: 'keep',
      });
      expect([status, wordsOf(text)]).toEqual([409, expect.stringContaining('so it was not rotated')]);
      expect((await section.panel.api.tokens.list()).length).toBe(count);
    }
  });
});
