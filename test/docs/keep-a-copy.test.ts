import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';
import { createClient, type Item, type Store } from '../../client';
import { answer, startServer } from '../fixture/clientServer';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { ScratchDirectory } from '../ScratchDirectory';
import { Page, ROOT } from './Page';

const page = new Page('docs/how-to/keep-a-copy.md');
const job = page.blocks.find(({ info }) => info === 'js billing-job.mjs')?.text ?? '';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...text: string[]
) => (...values: unknown[]) => Promise<Store<number | bigint, Item<'domains'>>>;

/** The job of the page, in a directory of its own, beside a panel with customers and an administrator. */
async function startJob() {
  const directory = new ScratchDirectory('billing');
  closeAtEnd(() => directory.remove());
  mkdirSync(join(directory.path, 'node_modules'));
  symlinkSync(ROOT, join(directory.path, 'node_modules/koa-panel-api'));
  writeFileSync(join(directory.path, 'job.mjs'), job);
  const { knex } = await freshDatabase('sqlite');
  await createPanelTables(knex, ['accounts']);
  const customer = {
    role: 'customer',
    status: 'active',
    disk_used_bytes: 2 ** 21,
    bandwidth_used_bytes: null,
  };
  const names = Array.from({ length: 12 }, (_, index) => `customer${index + 1}`);
  await knex('accounts').insert(
    names.map((username) => ({ ...customer, username, primary_domain: `${username}.example` })),
  );
  await knex('accounts').insert({ ...customer, role: 'admin', username: 'root' });
  const panel = await startPanel({ db: knex });
  const scopes = ['accounts.read', 'profile.read'];
  const whole = await panel.token({ scopes });
  const run = (url = panel.url, token = whole) => {
    const env = { ...process.env, PANEL_URL: url, TOKEN: token };
    return promisify(execFile)(process.execPath, ['job.mjs'], { cwd: directory.path, env });
  };
  const services = () => JSON.parse(readFileSync(join(directory.path, 'services.json'), 'utf8'));
  const write = (next: object) => writeFileSync(join(directory.path, 'services.json'), JSON.stringify(next));
  return { knex, run, services, write, ofOne: () => panel.token({ scopes, accountId: 1 }) };
}

test('the job of a billing system imports usage, and ends the services of accounts that are gone', async () => {
  const { knex, run, services, write } = await startJob();
  expect((await run()).stdout).toContain('created: 12');
  expect(Object.keys(services())).toHaveLength(12);
  expect(services()[1]).toEqual({
    username: 'customer1',
    domain: 'customer1.example',
    status: 'Active',
    diskusage: 2,
  });
  await knex('accounts')
    .where({ username: 'customer2' })
    .update({ status: 'suspended', disk_used_bytes: null });
  await knex('accounts').where({ username: 'customer3' }).del();
  expect((await run()).stdout).toContain('changed: 1, deleted: 1, unchanged: 10');
  expect(services()[2]).toMatchObject({ status: 'Suspended', diskusage: 2 });
  expect(services()[3]).toMatchObject({ username: 'customer3', status: 'Terminated' });
  write({ ...services(), 3: { ...services()[3], status: 'Cancelled' } });
  await run();
  expect(services()[3]).toMatchObject({ username: 'customer3', status: 'Cancelled' });
});

test('a job that cannot read the list, or finds most of it gone, changes no service', async () => {
  const { knex, run, services, ofOne } = await startJob();
  await run();
  const before = services();
  const stderr = expect.stringContaining('This token is of one account.');
  await expect(run(undefined, await ofOne())).rejects.toMatchObject({ code: 1, stderr });
  await expect(run('http://127.0.0.1:4')).rejects.toMatchObject({ code: 1 });
  await knex('accounts').where('id', '>', 3).del();
  await expect(run()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('SuspiciousLoss') });
  expect(services()).toEqual(before);
});

test('the store of the page keeps a copy in a database, and a run that fails leaves it as it was', async () => {
  const text = page.blocks.find(({ info }) => info === 'ts')?.text.replace(/^import .*\n/gm, '') ?? '';
  const { code } = transformSync(`async function run() {${text}; return store;}`, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  const items = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, domain: `d${index + 1}.example` }));
  const body = (some: readonly object[]) =>
    JSON.stringify({ success: true, message: '', data: { resource: 'domains', items: some }, timestamp: '' });
  const changed = items.map((item) => ({ ...item, domain: 'changed.example' }));
  const server = await startServer(
    answer(200, body(items)),
    answer(200, body(items)),
    answer(200, body(changed).slice(0, -60)),
    answer(200, body(changed.slice(1))),
  );
  const { knex: db } = await freshDatabase('sqlite');
  const clientOf: typeof createClient = (options) =>
    createClient({ ...options, baseUrl: server.url, token: 'x' });
  const start = new AsyncFunction('db', 'createClient', `${code}; return run();`);
  await start(db, clientOf);
  // The tables are there already when the program starts again.
  const store = await start(db, clientOf);
  const stored = async () => (await db('panel_domains').orderBy('id')).map(({ item }) => JSON.parse(item));
  expect(await stored()).toEqual(items);
  await expect(server.client().sync('domains', store)).rejects.toMatchObject({ name: 'PanelApiError' });
  expect(await stored()).toEqual(items);
  expect(await server.client().sync('domains', store)).toMatchObject({ changed: 4, deleted: 1 });
  expect(await stored()).toEqual(changed.slice(1));
});
