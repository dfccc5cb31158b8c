import { OWN_SWITCH } from '../fixture/ownSwitch';
import { type ShownPage, shownToken, startSectionPanel, wordsOf } from '../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;
const REVIEW = 'tokens/review?name=x&scope=domains.read';

describe('While the API is off, the API section', () => {
  const start = async (enabled?: () => boolean | Promise<boolean>) => {
    const section = await startSectionPanel('sqlite', enabled ? { enabled } : OWN_SWITCH);
    await section.panel.api.tokens.create({ name: 'Billing', scopes: ['domains.read'] }, AUTHOR);
    return section;
  };

  /** The words of the page's notice, and where its link leads. */
  const noticeOf = ({ text }: ShownPage) => {
    const notice = /<p class="notice off">.*?<\/p>/.exec(text)?.[0];
    return notice && [wordsOf(notice).trim(), /href="([^"]*)"/.exec(notice)?.[1]];
  };

  test('says so on the pages about tokens and in the reference, with a link to the switch', async () => {
    const own = await start();
    const words = 'The API is off: it answers 503 until you switch it on .';
    for (const [path, link] of [
      ['tokens', './'],
      ['tokens/1', '../'],
      ['tokens/new', '../'],
      [REVIEW, '../'],
      ['reference', './'],
    ] as const)
      expect([path, noticeOf(await own.get(path))]).toEqual([path, [words, link]]);
    expect(noticeOf(await own.send(REVIEW, 'tokens'))).toEqual([words, './']);
    await own.panel.api.settings.enable(AUTHOR);
    for (const path of ['tokens', 'reference']) expect(noticeOf(await own.get(path))).toBeUndefined();
  });

  test('says that the panel has to switch it on, if its option does', async () => {
    const own = await start(() => false);
    expect(noticeOf(await own.get('tokens'))).toEqual([
      'The API is off: it answers 503 until the panel switches it on.',
      undefined,
    ]);
  });

  test('takes one statement to say so', async () => {
    const own = await start();
    await own.get('reference');
    const statements: string[] = [];
    own.database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    await own.get('tokens');
    expect(statements.filter((sql) => /^select .* from .panel_api_settings/.test(sql))).toHaveLength(1);
  });

  test.each<[string, () => Promise<boolean>]>([
    ['fails', () => Promise.reject(new Error('secret-72'))],
    ['never answers', () => new Promise<boolean>(() => undefined)],
  ])('still shows a created token if the panel’s own switch %s', async (_what, enabled) => {
    const own = await start(enabled);
    const { status, text } = await own.send(REVIEW, 'tokens');
    expect([status, shownToken(text), text.includes('secret-72')]).toEqual([200, expect.any(String), false]);
  });
});
