import { newToken } from '../../../lib/tokens/tokenFormat';
import { describeOneEngine } from '../../fixture/databases';
import { AUTHOR } from '../../fixture/panel';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

describeOneEngine('The page that says which token a text contains', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const find = (text: string) => section.send('tokens/find', 'tokens/find', { text });

  test('says which it is, with a way to revoke it, and repeats nothing of it', async () => {
    const { token, record } = await section.panel.api.tokens.create(
      { name: 'Leaked', scopes: ['jobs.read'] },
      AUTHOR,
    );
    expect(wordsOf((await section.get('tokens')).text)).toContain('Which token is this?');
    const { status, text } = await find(`Authorization: Bearer ${token}`);
    expect([status, text.includes(token)]).toEqual([200, false]);
    expect(wordsOf(text)).toContain('The text contains this token Leaked #');
    expect(text).toContain(
      `<a class="button primary danger" href="../tokens/${record.id}/revoke">Revoke</a>`,
    );
  });

  test('lists several, each with its page and a way to revoke it', async () => {
    const create = async (name: string) =>
      section.panel.api.tokens.create({ name, scopes: ['jobs.read'] }, AUTHOR);
    const made = [await create('One'), await create('Two'), await create('Three')];
    await section.panel.api.tokens.revoke(made[2]!.record.id, AUTHOR);
    const { status, text } = await find(made.map(({ token }) => `key=${token}`).join('\n'));
    expect([status, wordsOf(text).includes('The text contains these 3 tokens')]).toEqual([200, true]);
    for (const { token, record } of made) {
      expect(text).toContain(`tokens/${record.id}"`);
      expect(text.includes(`tokens/${record.id}/revoke"`)).toBe(record !== made[2]!.record);
      expect(text).not.toContain(token);
    }
  });

  test('leads to the revocation of all that are valid', async () => {
    const create = async (name: string) =>
      section.panel.api.tokens.create({ name, scopes: ['jobs.read'] }, AUTHOR);
    const made = [await create('One'), await create('Two'), await create('Three')];
    const ids = made.slice(0, 2).map(({ record }) => record.id);
    await section.panel.api.tokens.revoke(made[2]!.record.id, AUTHOR);
    const { text } = await find(made.map(({ token }) => `key=${token}`).join('\n'));
    const href = /<a class="button danger" href="..\/(tokens\/revoke\?[^"]*)">Revoke 2 tokens<\/a>/.exec(
      text,
    )?.[1];
    const [page, query = ''] = href?.split('?') ?? [];
    expect(new URLSearchParams(query.replaceAll('&amp;', '&')).getAll('id').map(Number).toSorted()).toEqual(
      ids,
    );
    expect(wordsOf((await section.get(`${page}?${query.replaceAll('&amp;', '&')}`)).text)).toContain(
      'Revoke 2 tokens?',
    );
    expect((await find(made[0]!.token)).text).not.toContain('tokens/revoke?');
  });

  test('says of one that may read everything that it has every scope', async () => {
    const { token } = await section.panel.api.tokens.create({ name: 'Whole', scopes: ['*'] }, AUTHOR);
    expect(wordsOf((await find(token)).text)).toContain('Scopes every scope ');
  });

  test.each([
    ['of another panel', newToken('pnl'), 404, 'No token in the text belongs to this panel.'],
    [
      'that is not whole',
      newToken('pnl').slice(1, -1),
      400,
      'The text contains no whole token. Compressed files, images and Base64 are not searched.',
    ],
    [
      'that is empty',
      '',
      400,
      'The text contains no whole token. Compressed files, images and Base64 are not searched.',
    ],
  ])('says so of a text %s, and does not repeat it', async (_what, text, status, sentence) => {
    const shown = await find(text);
    expect([shown.status, wordsOf(shown.text).includes(sentence)]).toEqual([status, true]);
    if (text) expect(shown.text).not.toContain(text);
  });
});
