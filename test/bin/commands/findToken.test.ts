import { newToken } from '../../../lib/tokens/tokenFormat';
import { AUTHOR, type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';

const FIND = ['token', 'find'];
const NONE = 'The text contains no whole token. Compressed files, images and Base64 are not searched.';
const MIB = 2 ** 20;

describe('panel-api token find', () => {
  let database: PanelDatabase;
  let token: string;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
    const request = { name: 'Leaked', scopes: ['jobs.read'] };
    ({ token } = await database.installation.tokens.create(request, AUTHOR));
  });

  test('prints the token in a file on standard input, and how to end it', async () => {
    const { code, stdout, stderr } = await database.run(FIND, { piped: `a line\nkey: ${token}\n` });
    expect([code, stderr]).toEqual([0, 'To end token 1: panel-api token revoke 1\n']);
    expect(stdout).toContain('Leaked');
    expect(stdout + stderr).not.toContain(token);
    const json = JSON.parse((await database.run([...FIND, '--json'], { piped: token })).stdout);
    expect(json).toEqual([await database.token(1)]);
  });

  test('prints each of several tokens, and how to end those that are active', async () => {
    const create = () => database.installation.tokens.create({ name: 'More', scopes: ['jobs.read'] }, AUTHOR);
    const more = [await create(), await create()];
    await database.installation.tokens.revoke(more[0]!.record.id, AUTHOR);
    const piped = [token, ...more.map((one) => one.token), newToken('pnl')].join('\n');
    const { code, stdout, stderr } = await database.run(FIND, { piped });
    const [revoked, active] = more.map(({ record }) => record.id);
    expect([code, stderr]).toEqual([
      0,
      `To end token 1: panel-api token revoke 1\nTo end token ${active}: panel-api token revoke ${active}\n`,
    ]);
    expect(stdout.match(/^id +\d+$/gm)?.map((line) => Number(line.slice(2)))).toEqual([1, active, revoked]);
    expect(stdout.split('\n\n')).toHaveLength(3);
    const json = JSON.parse((await database.run([...FIND, '--json'], { piped })).stdout);
    expect(json.map(({ id }: { id: number }) => id)).toEqual([1, active, revoked]);
  });

  test('reads a long file in pieces, also if a token is cut', async () => {
    const lines = Buffer.alloc(MIB, '192.0.2.1 - - "GET / HTTP/1.1" 200\n');
    const parts = [lines, token.slice(0, 9), `\n> ${token.slice(9, 20)}`, token.slice(20), lines];
    const found = await database.run(FIND, { piped: parts });
    expect([found.code, found.stdout]).toEqual([0, expect.stringMatching(/^id +1$/m)]);
  });

  test.each(['utf16le', 'utf16be', 'utf32le', 'latin1'])('reads a file in %s', async (encoding) => {
    const text = `\ufeffAuthorization: Bearer ${token}\r\n`;
    const wide = Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf16le');
    const bytes = {
      utf16be: () => Buffer.from(wide).swap16(),
      utf32le: () => Buffer.from(Uint32Array.from(text, (one) => one.codePointAt(0)!).buffer),
    }[encoding];
    expect((await database.run(FIND, { piped: [bytes?.() ?? wide] })).code).toBe(0);
  });

  test('takes one line that is typed on a terminal', async () => {
    const { code, stdout, stderr } = await database.run(FIND, { typed: `${token}\n` });
    expect([code, stdout.includes('Leaked')]).toEqual([0, true]);
    expect(stderr).toContain('Paste the token, and press Enter.');
  });

  test.each([
    ['of another panel', 1, newToken('pnl'), 'No token in the text belongs to this panel.\n'],
    ['that is not whole', 2, newToken('pnl').slice(2), `${NONE}\n`],
    ['that is empty', 2, '', `${NONE}\n`],
  ])('ends a text %s with %i', async (_what, code, piped, stderr) => {
    expect(await database.run(FIND, { piped })).toEqual({ code, stdout: '', stderr });
  });

  test('takes no token as an argument, and does not repeat it', async () => {
    const { code, stdout, stderr } = await database.run([...FIND, token]);
    expect([code, (stdout + stderr).includes(token)]).toEqual([2, false]);
  });
});
