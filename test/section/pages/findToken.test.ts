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

  test('leads to its page, and repeats nothing of it', async () => {
    const { token, record } = await section.panel.api.tokens.create(
      { name: 'Leaked', scopes: ['jobs.read'] },
      AUTHOR,
    );
    expect(wordsOf((await section.get('tokens')).text)).toContain('Which token is this?');
    const { status, headers, text } = await find(`Authorization: Bearer ${token}`);
    expect([status, headers.get('Location'), text.includes(token)]).toEqual([
      303,
      `../tokens/${record.id}`,
      false,
    ]);
  });

  test.each([
    ['of another panel', newToken('pnl'), 404, 'The token in the text is none of this panel.'],
    ['that is not whole', newToken('pnl').slice(1, -1), 400, 'The text contains no whole token.'],
    ['that is empty', '', 400, 'The text contains no whole token.'],
  ])('says so of a text %s, and does not repeat it', async (_what, text, status, sentence) => {
    const shown = await find(text);
    expect([shown.status, wordsOf(shown.text).includes(sentence)]).toEqual([status, true]);
    if (text) expect(shown.text).not.toContain(text);
  });
});
