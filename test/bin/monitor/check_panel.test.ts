import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Knex } from 'knex';
import { outcome } from '../../../bin/monitor/outcome';
import { STATES } from '../../../bin/monitor/report';
import type { PanelApiOptions } from '../../../index';
import { answer, startServer } from '../../fixture/clientServer';
import { freshDatabase } from '../../fixture/databases';
import { LIST_NAMES } from '../../fixture/listNames';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createFilledTables } from '../../fixture/panelTables';
import '../../fixture/tryAgain';
import { builtCommand } from '../../servers/builtCommand';
import { freePort } from '../../servers/freePort';
import { runDirectory } from '../../servers/serverUrl';

const program = join(dirname(builtCommand()), 'monitor', 'check_panel.js');

const SCOPES = ['platform.read', 'services.read', 'ssl.read', 'accounts.read', 'backups.read', 'jobs.read'];
const SERVICES = { units: [{ unit: 'nginx' }, { unit: 'cron' }] } as const;

let knex: Knex;
let panel: TestPanel;
let token: string;

beforeEach(async () => {
  ({ knex } = await freshDatabase('sqlite'));
  await createFilledTables(knex);
  await knex('ssl').update({ expires_at: inHours(60 * 24), website_id: 1 });
  await knex('accounts').update({ created_at: inHours(-1) });
  panel = await panelWith({});
  token = await panel.token({ scopes: SCOPES });
});

const panelWith = (sources: PanelApiOptions['sources'], enabled = true) =>
  startPanel({ db: knex, enabled, sources: { services: SERVICES, ...sources } });

test('a healthy panel is OK, with performance data and in eleven small requests', async () => {
  const { code, lines, bytes } = await start();
  expect(lines).toEqual([
    'PANEL OK - the API answers; 2 services without a failure; certificates last 14 days; ' +
      'no account without a backup for 2 days; no backups failed in 24 hours; no jobs failed in 24 hours | ' +
      `'response'=N.Ns;5;15;0; 'health'=0;;;0;${LIST_NAMES.length + 5} 'services'=0;0;0;0;2 'certificates'=0;0;;0; ` +
      "'certificates_critical'=0;;0;0; 'accounts'=0;0;10;0; 'backups'=0;0;10;0; 'jobs'=0;0;10;0;",
  ]);
  expect(code).toBe(0);
  expect(await panel.requestLines(11)).toHaveLength(11);
  expect(bytes).toBeLessThan(1000);
});

test('failures of former days, and certificates that ended long ago, are no problem', async () => {
  const failed = { type: 'deploy', status: 'failed', finished_at: inHours(-30) };
  await knex.batchInsert('jobs', rows(8018, failed), 100);
  await knex('backups').insert(rows(20, { status: 'failed', finished_at: inHours(-25) }));
  const old = { common_name: 'shop.example', website_id: 1, status: 'expired', expires_at: inHours(-2000) };
  await knex('ssl').insert([
    old,
    { ...old, status: 'revoked', expires_at: inHours(1) },
    { ...old, status: 'failed', expires_at: null },
    { ...old, common_name: 'gone.example', website_id: null },
  ]);
  expect(await check()).toMatchObject({ code: 0 });
  const requests = await panel.requestLines(10);
  const bytes = requests.map((line) => Number(line.fields.bytes));
  expect(Math.max(...bytes)).toBeLessThan(3000);
});

test('jobs and backups that failed in the last hours are counted, and the latest five are named', async () => {
  const failed = { type: 'deploy', status: 'failed', finished_at: inHours(-2) };
  await knex('jobs').insert(rows(9, failed));
  await knex('backups').insert([
    { status: 'failed', finished_at: inHours(-2) },
    { status: 'partial', finished_at: inHours(-2) },
  ]);
  const { code, line, lines } = await start();
  expect(line).toBe(
    'PANEL WARNING - 2 backups failed in 24 hours: number 3, number 2; ' +
      '9 jobs failed in 24 hours: deploy 10, deploy 9, deploy 8, deploy 7, deploy 6 and 4 others',
  );
  expect(lines.slice(1)).toEqual([
    'the API answers',
    '2 services without a failure',
    'certificates last 14 days',
    'no account without a backup for 2 days',
  ]);
  expect(code).toBe(1);
  expect(await check('--critical', 'jobs=8')).toMatchObject({ code: 2 });
  expect(await check('--warning', 'jobs=9', '-w', 'backups=2')).toMatchObject({ code: 0 });
  expect(await check('--hours', '1')).toMatchObject({ code: 0 });
});

test('a job that failed without an end counts by its beginning', async () => {
  await knex('jobs').insert([
    { type: 'deploy', status: 'failed', started_at: inHours(-2) },
    { type: 'deploy', status: 'failed', started_at: inHours(-30) },
  ]);
  expect((await check()).line).toBe('PANEL WARNING - 1 job failed in 24 hours: deploy 2');
});

test('a job that failed without an end counts beside one with an end', async () => {
  await knex('jobs').insert([
    { type: 'deploy', status: 'failed', started_at: inHours(-2), finished_at: inHours(-1) },
    { type: 'renew', status: 'failed', queued_at: inHours(-3), started_at: inHours(-2) },
    { type: 'purge', status: 'failed', queued_at: inHours(-3) },
    { type: 'again', status: 'failed', started_at: inHours(-1), finished_at: inHours(-30) },
  ]);
  expect((await check()).line).toBe('PANEL WARNING - 3 jobs failed in 24 hours: deploy 2, renew 3, purge 4');
});

test('a certificate is to renew until each of its names has a later one', async () => {
  const add = (name: string, days: number, sans = name) =>
    knex('ssl').insert({ common_name: name, sans, status: 'valid', expires_at: inHours(days * 24 + 1) });
  await add('A.example', 10, 'a.example www.a.example');
  await add('b.example', 5);
  await add('b.example', 90);
  await add('*.star.example', 12);
  expect(await check()).toMatchObject({
    code: 1,
    line: 'PANEL WARNING - 2 certificates to renew: A.example ends in 10 days, *.star.example ends in 12 days',
  });
  expect(await check('--warning', 'certificates=11')).toMatchObject({
    line: 'PANEL WARNING - 1 certificate to renew: A.example ends in 10 days',
  });
  expect(await check('--ignore', 'A.example', '-w', 'certificates=11')).toMatchObject({ code: 0 });
  await add('a.example', 60);
  expect(await check('-w', 'certificates=11')).toMatchObject({ code: 1 });
  await add('www.a.example', 60);
  expect(await check('-w', 'certificates=11')).toMatchObject({ code: 0 });
  await add('c.example', -9);
  const { code, line } = await check();
  expect({ code, line }).toEqual({
    code: 2,
    line: 'PANEL CRITICAL - 2 certificates to renew: *.star.example ends in 12 days, c.example ended 9 days ago',
  });
});

test('active accounts without a backup of the last days are named', async () => {
  const account = { status: 'active', created_at: inHours(-900) };
  await knex('accounts').insert([
    { ...account, id: 7, username: 'bert' },
    { ...account, id: 8, username: 'carl' },
    { ...account, id: 9, username: 'dora', status: 'suspended' },
  ]);
  const backup = { account_id: 8, status: 'succeeded', finished_at: inHours(-1) };
  await knex('backups').insert([
    { ...backup, account_id: 7, status: 'failed', finished_at: inHours(-40) },
    backup,
  ]);
  expect(await check()).toMatchObject({
    code: 1,
    line: 'PANEL WARNING - 1 account without a backup for 2 days: bert',
  });
  expect(await check('--ignore', 'bert')).toMatchObject({ code: 0 });
  await knex('backups')
    .where({ account_id: 8 })
    .update({ finished_at: inHours(-60) });
  expect(await check('-c', 'accounts=1')).toMatchObject({
    code: 2,
    line: 'PANEL CRITICAL - 2 accounts without a backup for 2 days: bert, carl',
  });
  expect(await check('--backup-days', '3', '--ignore', 'bert')).toMatchObject({ code: 0 });
  await knex.schema.alterTable('backups', (table) => table.dropColumn('account_id'));
  panel.tablesChanged();
  expect((await check('--checks', 'accounts')).line).toBe(
    'PANEL UNKNOWN - not checked: accounts (backups without account_id)',
  );
});

test('a token that has no scope for accounts checks everything else', async () => {
  const older = await panel.token({ scopes: SCOPES.filter((scope) => scope !== 'accounts.read') });
  const { code, line } = await check({ PANEL_API_TOKEN: older });
  expect(code).toBe(0);
  expect(line).toContain(
    'no jobs failed in 24 hours; not checked: accounts (the token has no accounts.read)',
  );
  expect(await check({ PANEL_API_TOKEN: older }, '--checks', 'accounts')).toMatchObject({ code: 3 });
});

test('services that failed or should run are critical', async () => {
  const at = new Date().toISOString();
  const states = [
    ['nginx', 'stopped', true],
    ['mail', 'failed', false],
    ['cron', 'stopped', false],
    ['socket', 'stopped', null],
    ['redis', 'not_installed', false],
  ] as const;
  const items = states.map(([id, status, enabled]) => ({ id, name: id, status, enabled, checked_at: at }));
  const broken = await panelWith({
    services: { fields: ['id', 'name', 'status', 'enabled', 'checked_at'], rows: async () => items },
  });
  const url = ['--url', broken.url, '--checks', 'services'];
  expect(await check(...url)).toMatchObject({
    code: 2,
    line: 'PANEL CRITICAL - 2 services down: mail (failed), nginx (stopped)',
  });
  expect(await check(...url, '--ignore', 'mail', '--ignore', 'nginx')).toMatchObject({ code: 0 });
});

test('a part of the API that fails is critical', async () => {
  const rows = () => Promise.reject(new Error('The file is gone.'));
  const broken = await panelWith({ email: { fields: ['id', 'address', 'type', 'status'], rows } });
  expect(await check('--url', broken.url)).toMatchObject({
    code: 2,
    line: 'PANEL CRITICAL - 1 part of the API failed or warned: source:email (The check failed.)',
  });
});

test('a table that disappears is a warning', async () => {
  for (const table of ['backups', 'email', 'websites']) await knex.schema.dropTable(table);
  panel.tablesChanged();
  const { code, line } = await check();
  expect(code).toBe(1);
  expect(line).toBe(
    'PANEL WARNING - 3 parts of the API failed or warned: source:websites (The table websites does not exist.), ' +
      'source:email (The table email does not exist.), source:backups (The table backups does not exist.); ' +
      'not checked: accounts (accounts or backups not on this panel), backups (not on this panel)',
  );
  // Without the check of health.php, too.
  const some = ['--checks', 'certificates,backups,jobs'];
  expect(await check(...some)).toMatchObject({
    code: 1,
    line: 'PANEL WARNING - backups: The table backups does not exist.',
  });
  const ignored = ['--ignore', 'source:backups'];
  expect(await check(...some, ...ignored)).toMatchObject({ code: 0 });
  const narrow = await panel.token({ scopes: ['backups.read', 'jobs.read'] });
  expect(await check({ PANEL_API_TOKEN: narrow }, '--checks', 'backups,jobs')).toMatchObject({
    code: 3,
    line: 'PANEL UNKNOWN - backups: 403 scope_missing platform.read',
  });
});

test('a list that the panel has disabled is no problem, and the output says so', async () => {
  const off = await panelWith({ jobs: false, services: false, ssl: false });
  expect(await check('--url', off.url)).toMatchObject({
    code: 0,
    line:
      'PANEL OK - the API answers; no account without a backup for 2 days; no backups failed in 24 hours; not checked: ' +
      'services (not on this panel), certificates (not on this panel), jobs (not on this panel)',
  });
  expect(await check('--url', off.url, '--checks', 'backups,jobs')).toMatchObject({ code: 0 });
});

test('a run that could check nothing is unknown', async () => {
  const off = await panelWith({ jobs: false, services: false });
  expect(await check('--url', off.url, '--checks', 'services,jobs')).toMatchObject({
    code: 3,
    line: 'PANEL UNKNOWN - not checked: services (not on this panel), jobs (not on this panel)',
  });
  for (const column of ['finished_at', 'started_at', 'queued_at'])
    await knex.schema.alterTable('jobs', (table) => table.dropColumn(column));
  panel.tablesChanged();
  expect(await check('--checks', 'jobs')).toMatchObject({
    code: 3,
    line: 'PANEL UNKNOWN - not checked: jobs (no range of times)',
  });
});

test('a machine without systemd is a warning, until the panel disables the services', async () => {
  const { PATH } = process.env;
  try {
    process.env.PATH = '';
    const { code, line } = await check({ PATH: '' });
    expect(code).toBe(1);
    expect(line).toMatch(/: source:services \(systemd .*not checked: services \(not on this panel\)$/);
    const off = await panelWith({ services: false });
    expect(await check({ PATH: '' }, '--url', off.url)).toMatchObject({ code: 0 });
  } finally {
    process.env.PATH = PATH;
  }
});

test('a panel without times or words of a list is checked as far as it can be', async () => {
  await knex('ssl').insert({ common_name: 'shop.example', status: 'valid', expires_at: inHours(1) });
  for (const column of ['finished_at', 'started_at', 'queued_at'])
    await knex.schema.alterTable('jobs', (table) => table.dropColumn(column));
  await knex.schema.alterTable('ssl', (table) => table.dropColumn('sans'));
  await knex('backups').insert({ status: 'broken', finished_at: inHours(-1) });
  const poor = await panelWith({
    backups: { fields: { status: { values: { succeeded: 'succeeded', broken: 'failed' } } } },
  });
  expect(await check('--url', poor.url)).toMatchObject({
    code: 1,
    line: 'PANEL WARNING - 1 backup failed in 24 hours: number 2; not checked: jobs (no range of times)',
  });
  await knex('ssl').where({ id: 1 }).del();
  expect(await check('--url', poor.url)).toMatchObject({ code: 2 });
});

test('what cannot be reached, is switched off or answers as something else is critical', async () => {
  const port = await freePort();
  expect(await start('--url', `http://127.0.0.1:${port}`)).toMatchObject({
    code: 2,
    lines: ['PANEL CRITICAL - health: no answer: ECONNREFUSED'],
  });
  const off = await panelWith({}, false);
  expect(await check('--url', off.url)).toMatchObject({
    code: 2,
    line: 'PANEL CRITICAL - health: 503 api_disabled',
  });
  const broken = await freshDatabase('sqlite');
  const failing = await startPanel({ db: broken.knex, enabled: true });
  await failing.token();
  await broken.knex.schema.dropTable('panel_api_tokens');
  expect(await check('--url', failing.url)).toMatchObject({
    code: 2,
    line: 'PANEL CRITICAL - health: 503 unavailable',
  });
  const { url, urls } = await startServer(answer(502, '<h1>Bad | Gateway</h1>'));
  expect(await check('--url', url)).toMatchObject({
    code: 2,
    line: 'PANEL CRITICAL - health: 502 The answer is not in the form of the API.',
  });
  expect(urls).toHaveLength(1);
});

test('a refused request is unknown', async () => {
  expect(await check({ PANEL_API_TOKEN: `${token.slice(0, -1)}x` })).toMatchObject({
    code: 3,
    lines: ['PANEL UNKNOWN - health: 401 token_unknown'],
  });
  const narrow = await panel.token({ scopes: ['platform.read', 'jobs.read'] });
  expect(await check({ PANEL_API_TOKEN: narrow }, '--checks', 'health,backups,jobs')).toMatchObject({
    code: 3,
    line: 'PANEL UNKNOWN - backups: 403 scope_missing backups.read',
  });
  const scarce = await panel.token({ scopes: SCOPES, rateLimit: 2 });
  expect(await check({ PANEL_API_TOKEN: scarce })).toMatchObject({
    code: 3,
    line: 'PANEL UNKNOWN - certificates: 429 rate_limited',
  });
});

test('a slow panel warns, and one that answers too late is critical', async () => {
  const health = { resource: 'health', status: 'pass', checks: [] };
  const { url } = await startServer((_request, response) => {
    setTimeout(() => response.end(JSON.stringify({ success: true, message: '', data: health })), 300);
  });
  const only = ['--url', url, '--checks', 'health'];
  expect(await check(...only, '-w', 'response=0.2')).toMatchObject({
    code: 1,
    line: 'PANEL WARNING - the answer took N.N seconds',
  });
  expect(await check(...only, '-w', 'response=0.1', '-c', 'response=0.2')).toMatchObject({ code: 2 });
  const frozen = await startServer(() => undefined);
  const begin = performance.now();
  expect(await start('--url', frozen.url, '--timeout', '1')).toMatchObject({
    code: 2,
    line: 'PANEL CRITICAL - health: no answer: not done within 1 s',
  });
  expect(performance.now() - begin).toBeLessThan(30_000);
});

test('ten thousand problems are a few lines, and names cannot forge any', async () => {
  const name = `${'long'.repeat(40)}\n|'jobs'=0\u001b[31m`;
  const insert = (table: string, count: number, row: (index: number) => object) =>
    knex.batchInsert(
      table,
      Array.from({ length: count }, (_, index) => row(index)),
      100,
    );
  await insert('jobs', 10_000, () => ({ type: name, status: 'failed', finished_at: inHours(-1) }));
  await insert('ssl', 10_000, (index) => ({
    common_name: `w${index}.example`,
    status: 'valid',
    expires_at: inHours(25 + index / 100),
  }));
  const { code, lines, line, bytes } = await check();
  expect(code).toBe(2);
  expect(line).toContain('10,000 certificates to renew: w0.example ends in 1 day');
  expect(line).toContain('and 9,995 others; 10,000 jobs failed in 24 hours: longlong');
  expect(bytes).toBeLessThan(2000);
  expect(lines).toHaveLength(5);
  expect(lines[0]?.match(/\|/g)).toHaveLength(1);
  expect(lines[0]).not.toContain('\u001b');
});

test('a server that answers wrongly forges no lines, and the token that it repeats is hidden', async () => {
  const { url } = await startServer(({ url: path = '', headers }, response) => {
    const checks = [{ name: 'x', status: 'fail', detail: headers.authorization }];
    const data = path.includes('health') ? { checks } : { total: '5\u001b[31m|x\n' };
    response.end(JSON.stringify({ success: true, message: '', data }));
  });
  expect(await check('--url', url, '--checks', 'health,jobs')).toMatchObject({
    code: 2,
    lines: [
      expect.stringMatching(
        /^PANEL CRITICAL - 1 part of the API failed or warned: x \(Bearer [a-z]+_…\); jobs: /,
      ),
    ],
  });
  const jobs = await check('--url', url, '--checks', 'jobs');
  expect(jobs).toMatchObject({
    code: 2,
    lines: ['PANEL CRITICAL - jobs: 200 The answer is not in the form of the API.'],
  });
});

const FORM = '200 The answer is not in the form of the API.';

test.each<readonly [string, unknown]>([
  ...[-1, 1.5, 1e300, '0', null, {}].map((total) => ['jobs', { total, items: [] }] as const),
  ...[null, {}, 'x', 5, [null]].map((checks) => ['health', { checks }] as const),
  ...[null, {}, 'x', [null]].map((items) => ['services', { items, next_cursor: null }] as const),
  ['services', { items: [{ id: { toString: 1 }, status: 'failed' }], next_cursor: null }],
  ...[5, 'x', {}, { id: 'a' }, { id: 'a', status: null }, { id: 'a', status: ['failed'] }].map(
    (item) => ['services', { items: [item], next_cursor: null }] as const,
  ),
  ...[1, ['active'], { toString: 1 }].map(
    (status) => ['accounts', { items: [{ id: 1, account_id: 1, status }], next_cursor: null }] as const,
  ),
  ['certificates', { items: [{ id: 1, common_name: 'a.example', expires_at: 1 }], next_cursor: null }],
  ...[5, 'x', [1]].map((check) => ['health', { checks: [check] }] as const),
  ['health', { checks: [{ name: { toString: 1 }, status: 'fail', detail: null }] }],
])('a server whose %s are %j is critical, because that is no form of the API', async (name, data) => {
  const { url } = await startServer(answer(200, { success: true, message: '', data }));
  expect(await check('--url', url, '--checks', name)).toMatchObject({
    code: 2,
    lines: [`PANEL CRITICAL - ${name}: ${FORM}`],
  });
});

test.each([
  ['message', { message: { toString: 1 }, error: { code: 'unavailable' } }],
  ['code', { message: 'x', error: { code: { toString: 1 } } }],
  ['code of many lines', { message: 'x', error: { code: 'a\n\u001b[31m|x' } }],
])('a refusal whose %s is hostile is critical in one line', async (_what, refusal) => {
  const { url } = await startServer(answer(503, { success: false, ...refusal }));
  expect(await check('--url', url, '--checks', 'jobs')).toMatchObject({
    code: 2,
    lines: ['PANEL CRITICAL - jobs: 503 The answer is not in the form of the API.'],
  });
});

test('a refusal names its scope in one short line without the token', async () => {
  const { url } = await startServer(({ headers }, response) => {
    const error = { code: 'scope_missing', required_scope: `${headers.authorization}\n|\u001b[31m` };
    response.writeHead(403).end(JSON.stringify({ success: false, message: 'No.', error }));
  });
  expect((await check('--url', url, '--checks', 'jobs')).lines).toEqual([
    expect.stringMatching(/^PANEL UNKNOWN - jobs: 403 scope_missing Bearer [a-z]+_… \[31m$/),
  ]);
});

test('an answer of more than 16 MiB is not read', async () => {
  const { url } = await startServer(answer(200, ' '.repeat(2 ** 24 + 1)));
  expect((await check('--url', url, '--checks', 'jobs')).lines).toEqual([
    'PANEL CRITICAL - jobs: 200 The answer has more bytes than the option maxAnswerBytes allows.',
  ]);
});

test('a wrong call is unknown, and its message repeats no argument', async () => {
  const wrong = [
    [token],
    ['--token', token],
    ['--warning', token],
    ['--critical', 'jobs=many'],
    ['--warning', 'jobs=10', '--critical', 'jobs=5'],
    ['--warning', 'jobs=11'],
    ['--critical', 'certificates=15'],
    ['--hours', '87601'],
    ['--checks', 'health,email'],
    ['--hours', '0'],
    ['--timeout'],
    ['--token-file', '/nowhere'],
    ['--url', 'http://panel.example'],
    ['--url', `https://x:${token}@panel.example`],
  ];
  for (const args of wrong) {
    const { code, lines } = await check(...args);
    expect({ args, code, count: lines.length }).toEqual({ args, code: 3, count: 1 });
    expect(lines[0]).toMatch(/^PANEL UNKNOWN - .+ See check_panel --help\.$/);
    expect(lines[0]).not.toContain(token);
  }
  expect(await start({ PANEL_API_TOKEN: '' })).toMatchObject({ code: 3 });
  expect((await check('--warning', 'jobs=10', '--critical', 'jobs=5')).line).toContain(
    'The warning of jobs (10) would come after its critical (5).',
  );
  const help = await start('--help');
  expect(help.code).toBe(3);
  expect(help.lines.join('\n')).toContain('certificates   14         3  fewer days than this left');
});

test('the token may be in a file', async () => {
  const file = join(runDirectory(), `token-${process.pid}`);
  writeFileSync(file, `${token}\n`);
  expect(await start({ PANEL_API_TOKEN: 'pnl_other' }, '--token-file', file)).toMatchObject({ code: 0 });
});

type Given = readonly (string | Readonly<Record<string, string>>)[];

/** Runs the plugin in this process. */
async function check(...given: Given) {
  const { args, env } = call(given);
  const [state, output] = await outcome(args, env);
  return ended(STATES.indexOf(state), output);
}

/** Starts the plugin. */
async function start(...given: Given) {
  const { args, env } = call(given);
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  return ended(Number(code), output);
}

function call(given: Given) {
  const own = { ...process.env, PANEL_URL: panel.url, PANEL_API_TOKEN: token };
  return {
    args: given.filter((one) => typeof one === 'string'),
    env: Object.assign(own, ...given.filter((one) => typeof one !== 'string')),
  };
}

/** Fractions of seconds are `N.N`, and `line` is the first line without performance data. */
function ended(code: number, output: string) {
  const lines = output
    .trimEnd()
    .replace(/\d+\.\d+(?=s;| seconds)/g, 'N.N')
    .split('\n');
  return { code, lines, line: lines[0]?.split(' | ')[0], bytes: Buffer.byteLength(output) };
}

const rows = (count: number, row: object) => Array.from({ length: count }, () => row);

function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}
