import { InvalidInput } from '../../../index';
import { newToken } from '../../../lib/tokens/tokenFormat';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

describeOneEngine('A token in a text', (engine) => {
  let panel: TestPanel;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  test('is found wherever it stands in the text, active or ended, and that is no use of it', async () => {
    const { token, record } = await panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    for (const text of [
      token,
      ` ${token}\n`,
      `curl -H "Authorization: Bearer ${token}" https://panel`,
      `?key=${token}&x`,
      `the token: ${token.slice(0, 20)}\r\n  ${token.slice(20)}\nor so`,
    ])
      expect(await panel.api.tokens.find(text)).toEqual({ ...record, readAt: expect.any(Number) });
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect(await panel.api.tokens.find(token)).toMatchObject({
      id: record.id,
      state: 'revoked',
      lastUsedAt: null,
    });
    expect(await panel.api.tokens.find(newToken('pnl'))).toBeNull();
  });

  test('is found with all others in the text, active ones first, each once', async () => {
    const create = async () => panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    const made = [await create(), await create(), await create()];
    const [first, second, third] = made.map(({ record }) => record.id);
    await panel.api.tokens.revoke(first!, AUTHOR);
    const [one, two, three] = made.map(({ token }) => token);
    const text = `{"log":"${newToken('pnl')}\\n${one}%0a${two}"}${three}${two} ${one}`;
    const ids = async (given: string) => (await panel.api.tokens.findAll(given)).map(({ id }) => id);
    expect(await ids(text)).toEqual([second, third, first]);
    expect((await panel.api.tokens.find(text))?.id).toBe(second);
    expect(await ids(newToken('pnl'))).toEqual([]);
    const many = Array.from({ length: 100 }, () => newToken('pnl')).join(' ');
    expect(await ids(many)).toEqual([]);
    await expect(ids(`${many} ${one}`)).rejects.toThrow(
      'The text contains more than 100 tokens: search its parts.',
    );
  });

  const cut = (token: string, between: string) => `${token.slice(0, 30)}${between}${token.slice(30)}`;
  const escaped = (token: string, underscore: string) => token.replace('_', underscore);
  const WRITTEN: readonly [string, (token: string) => string][] = [
    ['a mail that wraps its lines', (token) => `token=3D${cut(token, '=\r\n')}=20`],
    ['a mail that is quoted', (token) => `> > the token: ${cut(token, '\n> > ')}\n> > or so`],
    ['a mail that encodes the underscore', (token) => escaped(token, '=5F')],
    ['Markdown', (token) => `Bearer ${escaped(token, '\\_')}\``],
    ['a URL', (token) => `?key=${escaped(token, '%5f')}&x`],
    ['a URL within a URL', (token) => `?next=%2Fx%3Fkey%3D${escaped(token, '%255F')}%26x`],
    ['JSON', (token) => JSON.stringify(JSON.stringify({ text: `the token:\n${cut(token, '\n')}` }))],
    ['JSON with escapes', (token) => `"${escaped(token, '\\u005f')}"`],
    ['a byte escape', (token) => `'${escaped(token, '\\x5f')}'`],
    ['HTML', (token) => `<b>${escaped(cut(token, '<wbr>'), '&#95;')}</b><br>&nbsp;x`],
    ['HTML with named characters', (token) => escaped(cut(token, '&shy;<br />\n&gt; '), '&lowbar;')],
    ['a shell', (token) => `curl -H "Bearer ${cut(token, '\\\n')}" x`],
    ['a chat', (token) => cut(token, '\u200b')],
    ['a file of UTF-16', (token) => Buffer.from(`\ufeff${token}\r\n`, 'utf16le').toString()],
    ['a line behind a secret that is cut', (token) => `npm_${'a'.repeat(43)}\n${cut(token, '\n')}`],
  ];
  test.each(WRITTEN)('is found as it is written in %s', async (_where, write) => {
    const { token, record } = await panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    expect((await panel.api.tokens.find(write(token)))?.id).toBe(record.id);
  });

  test.each([
    ['no text', undefined],
    ['an empty text', ''],
    ['a token that lacks its end', newToken('pnl').slice(0, -1)],
    ['a token with a typing error', newToken('pnl').replace(/.$/, '_')],
    ['a hash', 'a'.repeat(64)],
  ])('is not found in %s', async (_what, text) => {
    const error = await panel.api.tokens.find(text as string).catch((refused) => refused);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error.message).toBe(
      'The text contains no whole token. Compressed files, images and Base64 are not searched.',
    );
  });
});

describeOneEngine('All tokens of an account', (engine) => {
  let panel: TestPanel;
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = async (request: object) =>
    (await panel.api.tokens.create({ name: 'x', scopes: ['profile.read'], ...request }, AUTHOR)).record.id;

  test('are revoked together, those of no other, each with its audit entry, which names all accounts', async () => {
    const [first, second] = [await create({ accountId: 7 }), await create({ accountId: '7' })];
    const several = await create({ accountIds: [8, 7] });
    const others = [
      await create({ accountId: '07' }),
      await create({ accountIds: [77, 8] }),
      await create({}),
    ];
    const before = await create({ accountId: 7 });
    await panel.api.tokens.revoke(before, { actor: 'ada', origin: 'panel' });
    const revoked = await panel.api.tokens.revokeAllOf(7, AUTHOR);
    expect(revoked.map(({ id, state }) => [id, state])).toEqual([
      [several, 'revoked'],
      [second, 'revoked'],
      [first, 'revoked'],
    ]);
    for (const id of others) expect((await panel.api.tokens.get(id))?.state).toBe('active');
    expect((await panel.api.tokens.get(before))?.revokedBy).toBe('ada');
    const entries = await panel.api.audit.list({ action: 'token.revoked', actor: AUTHOR.actor });
    expect(entries.map(({ tokenId }) => tokenId)).toEqual([first, second, several]);
    const named = { name: 'x', owner: null };
    expect(entries[0]?.details).toEqual({ ...named, account_id: '7', accounts: ['7'] });
    expect(entries[2]?.details).toEqual({ ...named, account_id: '8', accounts: ['8', '7'] });
    expect(await panel.api.tokens.revokeAllOf(7, AUTHOR)).toEqual([]);
  });

  test('stay valid if the audit trail cannot be written, and for an id that is none', async () => {
    const id = await create({ accountId: 7 });
    for (const account of [undefined, null, '', ' 7', 0.5, Number.NaN, ['7'], 'x'.repeat(129)])
      await expect(panel.api.tokens.revokeAllOf(account as string, AUTHOR)).rejects.toThrow(InvalidInput);
    await database.knex.schema.renameTable('panel_api_audit_log', 'elsewhere');
    await expect(panel.api.tokens.revokeAllOf(7, AUTHOR)).rejects.toThrow('tokens.revokeAllOf failed');
    expect((await panel.api.tokens.get(id))?.state).toBe('active');
  });
});
