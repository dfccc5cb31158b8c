import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { panelApi, panelApiHere } from '../fixture/command/panelApi';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { serverUrl } from '../servers/serverUrl';

const COMMANDS = [['status'], ['token', 'create', '--name', 'billing', '--scope', '*']];
const SCHEMES = ['mysql', 'postgres'];

describe.each(SCHEMES)('a database of %s', (scheme) => {
  test.each(COMMANDS)('that is down ends the command with 3: %s', async (...args) => {
    const server = await listening();
    const url = urlOf(server);
    server.close();
    const { code, stdout, stderr } = await panelApiHere(url, args);
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: '',
      stderr: 'The database cannot be reached, or it failed (ECONNREFUSED).\n',
    });
  });

  test('that never answers does not hold the command, which ends with 3', async () => {
    // The kernel accepts the connection, and no process answers.
    const server = await listening();
    const ended = await Promise.all(
      COMMANDS.map((args) => (args.includes('create') ? panelApi : panelApiHere)(urlOf(server), args)),
    );
    server.close();
    for (const { code, stdout, stderr } of ended) {
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(/^The database cannot be reached, or it failed \(\w+\)\.\n$/);
    }
  });

  function urlOf(server: Server): string {
    const { port } = server.address() as AddressInfo;
    return `${scheme}://wilma:s3cret@127.0.0.1:${port}/flintstones`;
  }
});

test.each([
  ['mariadb', 'ER_ACCESS_DENIED_ERROR'],
  ['postgresql', '28P01'],
] as const)('a refused login to %s prints only the code of the error', async (engine, reason) => {
  const url = new URL(await serverUrl(engine));
  url.username = 'wilma';
  url.password = 's3cret';
  url.pathname = '/flintstones';
  const { code, stderr } = await panelApiHere(url.href, ['status']);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: `The database cannot be reached, or it failed (${reason}).\n`,
  });
});

describe('an SQLite file', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
  });

  test('that another process holds ends the command with 3 before it is free again', async () => {
    await database.knex.raw('begin exclusive');
    const { code, stderr } = await database.run(['enable']);
    await database.knex.raw('rollback');
    expect(code).toBe(3);
    expect(stderr).toMatch(/\(SQLITE_BUSY\w*\)/);
  });

  test('that does not exist is not created', async () => {
    const { code, stderr } = await panelApiHere(`${database.url}x`, ['enable']);
    expect(code).toBe(3);
    expect(stderr).toBe(
      'The SQLite file does not exist yet. A relative path begins at the current directory; a panel creates its file when it first starts.\n',
    );
    expect((await panelApiHere(`${database.url}x`, ['status'])).code).toBe(3);
  });

  test('that is a folder ends the command with 3 and the code of the driver', async () => {
    const { code, stderr } = await panelApiHere('sqlite:/tmp', ['status']);
    expect([code, stderr]).toEqual([3, 'The database cannot be reached, or it failed (SQLITE_CANTOPEN).\n']);
  });

  test.each([(path: string) => path, (path: string) => `sqlite://${path}`])(
    'may be named in other ways',
    async (named) => {
      expect((await panelApiHere(named(database.url.slice('sqlite:'.length)), ['status'])).code).toBe(0);
    },
  );

  test('may be named from the folder that the command is called in', async () => {
    const path = database.url.slice('sqlite:'.length);
    const cwd = join(path, '..');
    expect((await panelApiHere(`sqlite:${path.slice(cwd.length + 1)}`, ['status'], { cwd })).code).toBe(0);
  });
});

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
