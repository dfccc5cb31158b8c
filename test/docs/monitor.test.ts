import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Knex } from 'knex';
import { freshDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { requireProgram } from '../servers/requireProgram';
import { Page } from './Page';

const page = new Page('docs/how-to/monitor.md');
const script = page.blocks.find(({ info }) => info === 'sh check-panel.sh')?.text ?? '';

let knex: Knex;
let panel: TestPanel;
let token: string;

beforeAll(() => {
  for (const name of ['curl', 'jq']) requireProgram(name, name);
});

beforeEach(async () => {
  ({ knex } = await freshDatabase('sqlite'));
  await createFilledTables(knex);
  await knex('ssl').update({ expires_at: hoursFromNow(60 * 24) });
  panel = await startPanel({ db: knex });
  token = await panel.token({ scopes: ['platform.read', 'ssl.read', 'backups.read', 'jobs.read'] });
});

test('the check ends with 0 if there is nothing to report', async () => {
  expect(await check()).toEqual({
    code: 0,
    line: 'PANEL OK - the API answers, certificates last 14 days, no failed backups or jobs',
  });
});

test('it warns of certificates that expire soon, and is critical if one has expired', async () => {
  await knex('ssl').insert({
    common_name: 'a.example',
    status: 'valid',
    expires_at: hoursFromNow(10 * 24 + 1),
  });
  expect(await check()).toEqual({ code: 1, line: 'PANEL WARNING - a.example 10 days' });
  expect((await check({}, '9')).code).toBe(0);
  await knex('ssl').insert({ common_name: 'b.example', status: 'expired', expires_at: hoursFromNow(-1) });
  await knex('ssl').insert({ common_name: 'c.example', status: 'pending', expires_at: null });
  expect(await check()).toEqual({ code: 2, line: 'PANEL CRITICAL - a.example 10 days, b.example -1 days' });
});

test('it warns of backups and jobs that failed in the last hours', async () => {
  await knex('backups').insert({ status: 'failed', finished_at: hoursFromNow(-2) });
  await knex('jobs').insert({ type: 'deploy', status: 'failed', finished_at: hoursFromNow(-30) });
  expect(await check()).toEqual({ code: 1, line: 'PANEL WARNING - failed backups: 1' });
  expect((await check({}, '14', '1')).code).toBe(0);
  expect((await check({}, '14', '48')).line).toBe('PANEL WARNING - failed backups: 1; failed jobs: 1');
});

test('it warns of a list whose table is missing, and is critical if a part fails', async () => {
  await knex.schema.dropTable('email');
  panel.tablesChanged();
  expect(await check()).toEqual({ code: 1, line: 'PANEL WARNING - source:email warn' });
  const rows = () => Promise.reject(new Error('The file is gone.'));
  const sources = { email: { fields: ['id', 'address', 'type', 'status'], rows } } as const;
  const broken = await startPanel({ db: knex, sources });
  expect(await check({ PANEL_URL: broken.url })).toEqual({
    code: 2,
    line: 'PANEL CRITICAL - source:email fail',
  });
});

test('it is critical if the API is off or nothing answers', async () => {
  const off = await startPanel({ db: knex, enabled: false });
  expect(await check({ PANEL_URL: off.url })).toEqual({
    code: 2,
    line: 'PANEL CRITICAL - health.php: api_disabled',
  });
  expect((await check({ PANEL_URL: 'http://127.0.0.1:9' })).code).toBe(2);
});

test('it does not know if the API refuses it', async () => {
  expect(await check({ TOKEN: 'pnl_none' })).toEqual({
    code: 3,
    line: 'PANEL UNKNOWN - health.php: token_unknown',
  });
});

test('the addresses for Zabbix and json_exporter answer, with the fields that are read there', async () => {
  const yaml = page.blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);
  const targets = yaml.join('').match(/https:\/\/panel\.example\S+?(?=')/g) ?? [];
  expect(targets).toHaveLength(4);
  for (const target of [...targets, 'https://panel.example/api/v1/ssl.php?status=expiring,expired,failed']) {
    const { status, body } = await panel.get(target.replace('https://panel.example', ''), token);
    expect({ target, status }).toEqual({ target, status: 200 });
    expect(body).toHaveProperty(target.includes('health.php') ? 'data.checks' : 'data.items');
  }
});

async function check(env: Record<string, string> = {}, ...args: string[]) {
  const child = spawn('sh', ['-s', ...args], {
    env: { ...process.env, PANEL_URL: panel.url, TOKEN: token, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let line = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    line += text;
  });
  child.stdin.end(script);
  const [code] = await once(child, 'close');
  return { code: Number(code), line: line.trim() };
}

function hoursFromNow(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}
