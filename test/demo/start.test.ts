import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { html } from '../../demo/pages/html';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { openHandle } from '../fixture/databases';
import { LIST_NAMES } from '../fixture/listNames';
import { until } from '../fixture/until';
import { freePort } from '../servers/freePort';
import { requireProgram } from '../servers/requireProgram';
import { runDirectory } from '../servers/serverUrl';

const ROOT = join(__dirname, '..', '..');

/** Copies what git has, except for the tests. */
function cloneWithDemo(): string {
  const clone = mkdtempSync(join(runDirectory(), 'demo-'));
  closeAtEnd(() => rmSync(clone, { recursive: true, force: true }));
  cpSync(ROOT, clone, {
    recursive: true,
    filter: (path) =>
      !/^\/(\.git|bench|coverage|dist|test)$|node_modules|\.sqlite/.test(path.slice(ROOT.length)),
  });
  return clone;
}

/** The packages that npm has installed into a folder. */
function packagesIn(folder: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => path.startsWith('node_modules/') && !packages[path].link);
}

/** A token as the module stores it. */
type Token = Readonly<
  Record<'account_id' | 'allowed_addresses' | 'note' | 'rate_limit', unknown> &
    Record<'expires_at' | 'rotated_at' | 'revoked_at', number | null>
>;

/** The tables of the demo whose rows belong to others, by which column, and since when. */
const PARTS = [
  ['accounts', 'owner_id', 'accounts', 'created_at'],
  ['backups', 'website_id', 'websites', 'started_at'],
  ['cron', 'website_id', 'websites', 'created_at'],
  ['databases', 'website_id', 'websites', 'created_at'],
  ['domains', 'account_id', 'accounts', 'created_at'],
  ['domains', 'parent_id', 'domains', 'created_at'],
  ['email', 'account_id', 'accounts', 'created_at'],
  ['ssl', 'website_id', 'websites', 'created_at'],
  ['websites', 'account_id', 'accounts', 'created_at'],
] as const;

/** How many packages the demo may install, with those of the module. */
const MOST_PACKAGES = 90;

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
    const demo = spawn('bash', ['-c', command], { cwd: clone, env, detached: true });
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
  }, 300_000);

  const page = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** A handle of the test on the rows of the demo. */
  const rows = () => {
    const filename = join(clone, 'demo', 'panel.sqlite');
    return openHandle({ client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true });
  };

  const signIn = async (as = 'admin') => {
    const { headers } = await page('/login', {
      method: 'POST',
      body: new URLSearchParams({ password: PASSWORD, as }),
    });
    return { Cookie: headers.get('Set-Cookie')?.split(';')[0] ?? '' };
  };

  /** The rows of a list, read with the token that the demo printed. */
  const items = async (list: string) => {
    const [token] = /pnl_\w{46}/.exec(printed) ?? [];
    const { text } = await page(`/api/v1/${list}.php`, { headers: { Authorization: `Bearer ${token}` } });
    return JSON.parse(text).data.items as readonly Record<string, unknown>[];
  };

  test('install few packages', () => {
    const installed = [clone, join(clone, 'demo')].flatMap(packagesIn);
    expect(installed.length).toBeLessThanOrEqual(MOST_PACKAGES);
  });

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
    const served = JSON.parse(output).filter(({ state }: { state: string }) => state === 'served');
    expect(served.map(({ resource }: { resource: string }) => resource)).toEqual(LIST_NAMES);
    expect(code).toBe(0);
  });

  test('print a curl command that reads rows', async () => {
    requireProgram('curl', 'curl');
    const asked = spawn('bash', ['-c', /curl .*/.exec(printed)?.[0] ?? '']);
    let answer = '';
    asked.stdout.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    await once(asked, 'close');
    expect(JSON.parse(answer)).toMatchObject({ success: true, data: { items: expect.anything() } });
  });

  test('show their figures to the printed token at /metrics', async () => {
    const [token] = /pnl_\w{46}/.exec(printed) ?? [];
    const { status, text } = await page('/metrics', { headers: { Authorization: `Bearer ${token}` } });
    expect([status, text.match(/^panel_jobs\{status="failed"\} [1-9]/m)?.length]).toEqual([200, 1]);
    expect(text).not.toMatch(/^panel_source_up.* 0$/m);
    expect((await page('/metrics')).status).toBe(401);
  });

  test.each(['/', '/accounts', '/admin/api/tokens'])(
    'show only the login on %s to a stranger',
    async (path) => {
      const { status, text } = await page(path);
      expect([status, text.includes('name="password"'), text.includes('<table')]).toEqual([401, true, false]);
    },
  );

  test.each(['/login', '/', '/settings'])('show %s in no frame', async (path) => {
    const { headers } = await page(path, { headers: await signIn() });
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect([headers.get('X-Frame-Options'), headers.get('X-Content-Type-Options')]).toEqual([
      'DENY',
      'nosniff',
    ]);
  });

  test('refuse a form that is too long', async () => {
    const { status } = await page('/login', { method: 'POST', body: 'x'.repeat(64 * 1024) });
    expect(status).toBe(413);
  });

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

  test('show a mail about the network from which a token was used first', async () => {
    await items('domains');
    const headers = await signIn();
    const shown = async () => (await page('/mails', { headers })).text;
    await until(async () => (await shown()).includes('was used from a new network'));
    const sent = (await shown()).match(/The token demo was used from a new network, 127\.0\.0\.0\/24/g);
    expect(sent).toHaveLength(1);
    expect(await shown()).toContain('admin@panel.example');
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

  test('show sample tokens of every kind in the API section, with their use', async () => {
    const headers = await signIn();
    const { text } = await page('/admin/api/tokens', { headers });
    for (const name of ['Monitoring', 'Billing', 'Old dashboard']) expect(text).toContain(name);
    const { text: silent } = await page('/admin/api/tokens?filter=silent', { headers });
    expect([...silent.matchAll(/<tr class="[^"]*" data-id/g)]).toHaveLength(1);
    expect(silent).toContain('Nightly export');
    const tokens = await rows()('panel_api_tokens');
    const now = Date.now() / 1000;
    const kinds: Readonly<Record<string, (token: Token) => boolean>> = {
      expired: ({ expires_at, rotated_at }) => !rotated_at && expires_at !== null && expires_at < now,
      revoked: ({ revoked_at }) => revoked_at !== null,
      rotated: ({ rotated_at }) => rotated_at !== null,
      'of one account': ({ account_id }) => account_id !== null,
      'of some addresses': ({ allowed_addresses }) => allowed_addresses !== null,
      noted: ({ note }) => note !== null,
      'with an own limit': ({ rate_limit }) => rate_limit !== null,
    };
    for (const [kind, isOf] of Object.entries(kinds)) expect([kind, tokens.some(isOf)]).toEqual([kind, true]);
    for (const { id } of tokens.filter(({ last_used_at }) => last_used_at > now - 86_400)) {
      const used = await rows()('panel_api_usage').where({ token_id: id }).distinct('endpoint');
      expect([id, used.length]).not.toEqual([id, 1]);
    }
  });

  test('show a customer the tokens of one account, and no page of the administrator', async () => {
    const headers = await signIn('customer');
    const { status, text } = await page('/my/api/tokens', { headers });
    expect([status, text.includes('Certificate watch'), text.includes('Billing')]).toEqual([
      200,
      true,
      false,
    ]);
    for (const path of ['/', '/accounts', '/settings', '/admin/api/tokens']) {
      const answer = await page(path, { headers });
      expect([path, answer.status, answer.headers.get('Location')]).toEqual([path, 303, '/my/api']);
    }
    expect((await page('/my/api/tokens', { headers: await signIn() })).status).toBe(403);
  });

  test('say of each sample token the same in its row, its use and the audit trail', async () => {
    const entries = await rows()('panel_api_audit_log').orderBy('id');
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => a - b));
    const now = Date.now() / 1000;
    for (const token of await rows()('panel_api_tokens')) {
      const own = entries.filter(({ token_id }) => token_id === token.id);
      const timeOf = (action: string) => own.find((entry) => entry.action === action)?.at ?? null;
      const expiries = own.map(({ details }) => JSON.parse(details).expires_at).filter(Boolean);
      const expiry = expiries.at(-1)?.to ?? expiries.at(-1) ?? null;
      const { created_at, rotated_at, revoked_at, expires_at, last_used_at } = token;
      expect([token.name, created_at, rotated_at, revoked_at, expires_at]).toEqual([
        token.name,
        timeOf('token.created'),
        timeOf('token.rotated'),
        timeOf('token.revoked'),
        expiry && Date.parse(expiry) / 1000,
      ]);
      const end = Math.min(now, revoked_at ?? now, expires_at ?? now);
      const days = (await rows()('panel_api_usage').where({ token_id: token.id })).map(({ day }) => day);
      for (const used of [...days, (last_used_at ?? created_at) / 86_400]) {
        expect(used).toBeGreaterThanOrEqual(Math.floor(created_at / 86_400));
        expect(used).toBeLessThanOrEqual(end / 86_400);
      }
    }
    const [{ updated_at }] = await rows()('panel_api_settings').where({ name: 'enabled' });
    expect(entries.map(({ at }) => at)).toContain(updated_at);
  });

  test.each(PARTS)(
    'have no row of %s that is older than the one of its %s',
    async (list, key, parent, time) => {
      const older = rows()({ part: list, whole: parent })
        .whereRaw(`part.${key} = whole.id and part.${time} < whole.created_at`)
        .select('part.id');
      expect(await older).toEqual([]);
    },
  );

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
