import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { html } from '../../demo/pages/html';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { openHandle } from '../fixture/databases';
import { freePort } from '../servers/freePort';
import { runDirectory } from '../servers/serverUrl';

const ROOT = join(__dirname, '..', '..');

/** Copies what a clone contains that was built already, the demo without its own packages and database. */
function cloneWithDemo(): string {
  const clone = mkdtempSync(join(runDirectory(), 'demo-'));
  closeAtEnd(() => rmSync(clone, { recursive: true, force: true }));
  for (const name of ['package.json', 'dist', 'docs'])
    cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  cpSync(join(ROOT, 'demo'), join(clone, 'demo'), {
    recursive: true,
    filter: (path) => !/node_modules|\.sqlite/.test(path),
  });
  return clone;
}

const PASSWORD = 'a password of the test';

describe('npm install and npm start in the demo', () => {
  let url: string;
  let clone: string;
  let printed = '';

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    clone = cloneWithDemo();
    const env = {
      ...process.env,
      PORT: String(port),
      DEMO_PASSWORD: PASSWORD,
      npm_config_prefer_offline: 'true',
    };
    const command = 'cd demo && npm install && npm start';
    const demo = spawn('nice', ['bash', '-c', command], { cwd: clone, env, detached: true });
    closeAtEnd(async () => {
      if (demo.exitCode !== null || demo.pid === undefined) return;
      process.kill(-demo.pid, 'SIGTERM');
      await once(demo, 'close');
    });
    await new Promise<void>((resolve, reject) => {
      const read = (text: string) => {
        printed += text;
        if (/curl .*\n/.test(printed)) resolve();
      };
      demo.stdout.setEncoding('utf8').on('data', read);
      demo.stderr.setEncoding('utf8').on('data', read);
      demo.once('close', () => reject(new Error(printed)));
    });
  }, 120_000);

  const page = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** A handle of the test on the rows of the demo. */
  const rows = () => {
    const filename = join(clone, 'demo', 'panel.sqlite');
    return openHandle({ client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true });
  };

  const signIn = async () => {
    const { headers } = await page('/login', {
      method: 'POST',
      body: new URLSearchParams({ password: PASSWORD }),
    });
    return { Cookie: headers.get('Set-Cookie')?.split(';')[0] ?? '' };
  };

  /** The rows of a list, read with the token that the demo printed. */
  const items = async (list: string) => {
    const [token] = /pnl_\w+/.exec(printed) ?? [];
    const { text } = await page(`/api/v1/${list}.php`, { headers: { Authorization: `Bearer ${token}` } });
    return JSON.parse(text).data.items as readonly Record<string, unknown>[];
  };

  test('let the command find the mount by itself', async () => {
    const command = spawn('npx', ['--no', '--', 'panel-api', 'check', '--json'], {
      cwd: join(clone, 'demo'),
      env: { ...process.env, PANEL_API_DATABASE_URL: '' },
    });
    let output = '';
    command.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const [code] = await once(command, 'close');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toContainEqual(
      expect.objectContaining({ resource: 'domains', state: 'served' }),
    );
  });

  test('print a curl command that reads rows', async () => {
    const asked = spawn('bash', ['-c', /curl .*/.exec(printed)?.[0] ?? '']);
    let answer = '';
    asked.stdout.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    await once(asked, 'close');
    expect(JSON.parse(answer)).toMatchObject({ success: true, data: { items: expect.anything() } });
  });

  test.each(['/', '/accounts', '/admin/api/tokens'])(
    'show only the login on %s to a stranger',
    async (path) => {
      const { status, text } = await page(path);
      expect([status, text.includes('name="password"'), text.includes('<table')]).toEqual([401, true, false]);
    },
  );

  test('show the figures of the tables on the dashboard', async () => {
    const { text } = await page('/', { headers: await signIn() });
    const figure = (name: string) => new RegExp(`>${name}(?:</a>)?</span> <b>(\\d+)</b>`).exec(text)?.[1];
    const [accounts, domains] = [await items('accounts'), await items('domains')];
    expect([figure('Accounts'), figure('Domains')]).toEqual([
      String(accounts.length),
      String(domains.length),
    ]);
  });

  test.each([
    ['/accounts', 'accounts'],
    ['/domains', 'domains'],
    ['/certificates', 'ssl'],
    ['/services', 'services'],
    ['/jobs', 'jobs'],
    ['/backups', 'backups'],
  ])('show every row of the table on %s', async (path, list) => {
    const { status, text } = await page(path, { headers: await signIn() });
    expect([status, text.split('<tr>').length - 2]).toEqual([200, (await items(list)).length]);
  });

  test('count on the dashboard what needs attention', async () => {
    const { text } = await page('/', { headers: await signIn() });
    const counted = (name: string) => new RegExp(`>${name}</a> <span class="count">(\\d+)<`).exec(text)?.[1];
    const having = async (list: string, words: readonly string[]) =>
      String((await items(list)).filter(({ status }) => words.includes(String(status))).length);
    expect([
      counted('Certificates that end soon'),
      counted('Failed jobs'),
      counted('Failed backups'),
    ]).toEqual([
      await having('ssl', ['expiring', 'expired']),
      await having('jobs', ['failed']),
      await having('backups', ['failed', 'partial']),
    ]);
  });

  test('show hostile text of the tables as text', async () => {
    const hostile = '<script>alert(1)</script>';
    await rows()('jobs').where({ status: 'failed' }).update({ error: hostile });
    const headers = await signIn();
    for (const path of ['/', '/jobs']) {
      const { text } = await page(path, { headers });
      expect([path, text.includes(hostile), text.includes('&lt;script&gt;')]).toEqual([path, false, true]);
    }
  });

  test('expose no secret on their pages', async () => {
    const headers = await signIn();
    for (const path of ['/', '/accounts', '/certificates', '/backups', '/jobs', '/settings']) {
      const { text } = await page(path, { headers });
      expect([path, text.includes('NEVERLEAVES')]).toEqual([path, false]);
    }
  });

  test('switch the API off and on under Settings', async () => {
    const headers = await signIn();
    const save = (fields: Record<string, string>) =>
      page('/settings', { method: 'POST', headers, body: new URLSearchParams(fields) });
    const status = async () => (await page('/api/v1/me.php')).status;
    await save({});
    expect(await status()).toBe(503);
    await save({ api: 'on' });
    expect(await status()).toBe(401);
  });

  test('end the session with Sign out', async () => {
    const headers = await signIn();
    await page('/logout', { method: 'POST', headers });
    expect((await page('/', { headers })).status).toBe(401);
  });

  test('show sample tokens with their use in the API section', async () => {
    const { text } = await page('/admin/api/tokens', { headers: await signIn() });
    for (const name of ['Monitoring', 'Billing', 'Old dashboard']) expect(text).toContain(name);
  });

  test('run services', async () => {
    const running = (await items('services')).filter(({ status }) => status === 'running');
    expect(running.length).toBeGreaterThan(5);
  });
});

test('The pages of the demo show hostile text as text', () => {
  expect(html`<p title="${`"'`}">${'<script>&'}</p>`.text).toBe(
    '<p title="&quot;&#39;">&lt;script&gt;&amp;</p>',
  );
});
