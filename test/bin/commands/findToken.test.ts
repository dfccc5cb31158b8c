import { newToken } from '../../../lib/tokens/tokenFormat';
import { AUTHOR, type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';

const FIND = ['token', 'find'];

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
    expect([code, stderr]).toEqual([0, 'To end it: panel-api token revoke 1\n']);
    expect(stdout).toContain('Leaked');
    expect(stdout + stderr).not.toContain(token);
    const json = JSON.parse((await database.run([...FIND, '--json'], { piped: token })).stdout);
    expect(json).toEqual(await database.token(1));
  });

  test('takes one line that is typed on a terminal', async () => {
    const { code, stdout, stderr } = await database.run(FIND, { typed: `${token}\n` });
    expect([code, stdout.includes('Leaked')]).toEqual([0, true]);
    expect(stderr).toContain('Paste the token, and press Enter.');
  });

  test.each([
    ['of another panel', 1, newToken('pnl'), 'The token in the text is none of this panel.\n'],
    ['that is not whole', 2, newToken('pnl').slice(2), 'The text contains no whole token.\n'],
    ['that is empty', 2, '', 'The text contains no whole token.\n'],
  ])('ends a text %s with %i', async (_what, code, piped, stderr) => {
    expect(await database.run(FIND, { piped })).toEqual({ code, stdout: '', stderr });
  });

  test('takes no token as an argument, and does not repeat it', async () => {
    const { code, stdout, stderr } = await database.run([...FIND, token]);
    expect([code, (stdout + stderr).includes(token)]).toEqual([2, false]);
  });
});
