import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import knex from 'knex';
import { Page } from '../docs/Page';

const { ScratchDirectory } = require('../ScratchDirectory') as {
  ScratchDirectory: new (name: string) => { readonly path: string; remove(): Promise<void> };
};
const { folder } = require('./packages') as { readonly folder: string };

const scratch = new ScratchDirectory('middleware');
const database = join(scratch.path, 'panel.sqlite');
const children: ChildProcess[] = [];

/** Starts a panel, and returns a function that asks it. */
async function start(file: string, execArgv: readonly string[] = []) {
  const child = fork(join(folder, file), [database], { cwd: folder, execArgv: [...execArgv] });
  children.push(child);
  const started = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  const [{ url, token }] = started as [{ url: string; token: string }];
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url + path, { method, headers: { Authorization: `Bearer ${token}`, ...headers } });
}

type Ask = Awaited<ReturnType<typeof start>>;

const isWhole = async (response: Response) =>
  ((await response.json()) as { data: { items: unknown[] } }).data.items.length;

beforeAll(async () => {
  const db = knex({ client: 'better-sqlite3', connection: database, useNullAsDefault: true });
  await db.schema.createTable('domains', (table) => {
    table.increments('id');
    for (const name of ['domain', 'type', 'status', 'ssl_status']) table.string(name);
  });
  const row = (index: number) => ({ domain: `site${index}.example`, type: 'primary', status: 'active' });
  await db.batchInsert(
    'domains',
    Array.from({ length: 20_000 }, (_, index) => row(index)),
    200,
  );
  await db.destroy();
});

afterAll(async () => {
  for (const child of children) child.kill();
  await scratch.remove();
});

describe('Below helmet, cors, compression and a session in Express', () => {
  let ask: Ask;
  const preflight = {
    Authorization: '',
    Origin: 'https://dashboard.example',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'authorization',
  };

  beforeAll(async () => {
    ask = await start('beside.cjs');
  });

  test('a preflight without a token is answered by cors, and refused above it', async () => {
    const answer = await ask('/api/v1/me.php', preflight, 'OPTIONS');
    expect([answer.status, answer.headers.get('Access-Control-Allow-Headers')]).toEqual([
      204,
      'authorization',
    ]);
    const bare = await ask('/bare/api/v1/me.php', preflight, 'OPTIONS');
    expect([bare.status, bare.headers.get('Access-Control-Allow-Headers')]).toEqual([401, null]);
  });

  test('an answer has the headers of helmet and cors, and those above it do not', async () => {
    const { headers } = await ask('/api/v1/me.php');
    expect(headers.get('Strict-Transport-Security')).not.toBeNull();
    expect(headers.get('Access-Control-Allow-Origin')).toBe('https://dashboard.example');
    expect((await ask('/bare/api/v1/me.php')).headers.get('Strict-Transport-Security')).toBeNull();
  });

  test("a page of the section has the section's own content security policy", async () => {
    const { status, headers } = await ask('/admin/api', { Cookie: 'admin=Ada' });
    expect([status, headers.get('Content-Security-Policy')]).toEqual([
      200,
      expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
    ]);
  });

  test.each(['/api/v1/domains.php', '/api/v1/domains.php?limit=100'])(
    'the list %s is compressed, arrives whole and keeps its validator',
    async (path) => {
      const answer = await ask(path);
      expect(answer.headers.get('Content-Encoding')).toMatch(/gzip|br/);
      expect(await isWhole(answer)).toBe(path.includes('limit') ? 100 : 20_000);
      const etag = answer.headers.get('ETag');
      if (path.includes('limit'))
        expect((await ask(path, { 'If-None-Match': String(etag) })).status).toBe(304);
    },
  );
});

describe("Under Node's permission model", () => {
  const flags = ['--permission', '--allow-addons', `--allow-fs-write=${scratch.path}`];

  test('the API and the section work, without services and disks', async () => {
    const ask = await start('http.cjs', [
      ...flags,
      `--allow-fs-read=${folder}`,
      `--allow-fs-read=${scratch.path}`,
    ]);
    expect((await ask('/api/v1/domains.php?limit=1')).status).toBe(200);
    expect((await ask('/admin/api', { Cookie: 'admin=Ada' })).status).toBe(200);
    expect((await ask('/api/v1/services.php')).status).toBe(503);
    const health = (await (await ask('/api/v1/server-health.php')).json()) as { data: Health };
    expect(health.data.swap).toBeNull();
    expect(health.data.disks.map(({ total_bytes }) => total_bytes)).toEqual([null]);
  });

  test('the sizes of disks are there if all files may be read', async () => {
    const ask = await start('http.cjs', [...flags, '--allow-fs-read=*']);
    const { data } = (await (await ask('/api/v1/server-health.php')).json()) as { data: Health };
    expect(data.disks[0]?.total_bytes).toBeGreaterThan(0);
  });
});

interface Health {
  readonly swap: object | null;
  readonly disks: readonly { readonly total_bytes: number | null }[];
}

describe('Bundled as the page says', () => {
  const page = new Page('docs/how-to/bundle.md');
  const commands = page.blocks.flatMap(({ info, text }) =>
    info === 'sh' ? text.trim().split(/\n(?! )/) : [],
  );
  const source = join(folder, 'panel.js');

  // The page calls the panel's file so.
  beforeAll(() => writeFileSync(source, "require('./http.cjs');\n"));
  afterAll(() => {
    for (const file of [source, join(folder, 'bundle.js')]) rmSync(file);
  });

  test.each(commands)('the API and the section work: %s', async (command) => {
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' });
    const ask = await start('bundle.js');
    expect(await isWhole(await ask('/api/v1/domains.php?limit=1'))).toBe(1);
    const styles = await ask('/admin/api/assets/section.css');
    expect([styles.status, (await styles.text()).length > 1000]).toEqual([200, true]);
  });
});
