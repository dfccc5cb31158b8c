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

  test('shows its name, rights and last use, and ends it with one click', async () => {
    const { tokens } = section.panel.api;
    const { token, record } = await tokens.create({ name: 'Leaked <b>', scopes: ['jobs.read'] }, AUTHOR);
    expect(wordsOf((await section.get('tokens')).text)).toContain('Which token is this?');
    await section.panel.get('/api/v1/jobs.php', token);
    const { status, text } = await find(`Authorization: Bearer ${token}`);
    const words = wordsOf(text);
    expect([status, text.includes(token)]).toEqual([200, false]);
    for (const part of [
      'Leaked <b>',
      `#${record.id}`,
      'jobs.read',
      'It was last used',
      'from 127.0.0.1',
      'Revoke it',
    ])
      expect(words).toContain(part);
    const form = /<form method="post" action="([^"]*)"[\s\S]*?name="form_token" value="([^"]*)"/.exec(
      text.slice(text.indexOf('If others may have seen it')),
    );
    const response = await fetch(new URL(`${form?.[1]}`, `${section.panel.url}/admin/api/tokens/find`), {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: 'admin=ann', 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ form_token: `${form?.[2]}` }),
    });
    expect(response.status).toBe(303);
    expect((await tokens.get(record.id))?.revokedBy).toBe('ann');
    const again = await find(token);
    expect([again.status, again.text.includes('class="danger')]).toEqual([200, false]);
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
