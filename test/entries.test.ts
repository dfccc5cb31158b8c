import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import './servers/builtCommand';

const ROOT = join(__dirname, '..');

/** The functions of the root that have an entry point of their own, with its name and its source. */
const ENTRIES = [
  ['createAccountSection', 'account-section', 'account-section/createAccountSection.ts'],
  ['createApiSection', 'section', 'section/createApiSection.ts'],
  ['createMetrics', 'metrics', 'metrics/createMetrics.ts'],
  ['createMcp', 'assistants', 'assistants/createMcp.ts'],
] as const;

/** What a program prints, as JSON. In the folder of the package, it finds the package under its name. */
function printedBy(program: string, type: 'commonjs' | 'module' = 'commonjs') {
  const given = [`--input-type=${type}`, '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, given, { cwd: ROOT, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Mounts the API beside Koa and knex, which the panel has loaded before, and reads a list. */
const API_ALONE = `
  const { once } = require('node:events');
  const { join, sep } = require('node:path');
  const Koa = require('koa');
  const knex = require('knex');

  async function run() {
    const db = knex({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true });
    const logger = { info() {}, warn() {}, error() {} };
    await db.raw('create table accounts (id integer primary key, username text)');
    const api = require('koa-panel-api').createPanelApi({ db, logger, deadlineMs: 30_000 });
    const author = { actor: 'Ada', origin: 'panel' };
    await api.settings.change({ enabled: true, httpsRequired: false }, author);
    const { token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, author);
    const server = new Koa().use(api.routes()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = 'http://127.0.0.1:' + server.address().port + '/api/v1/accounts.php';
    const { status } = await fetch(url, { headers: { authorization: 'Bearer ' + token } });
    const own = Object.values(require.cache).filter(({ id }) => id.startsWith(join(process.cwd(), 'dist') + sep));
    const packages = own
      .flatMap(({ children }) => children.map(({ id }) => id.split('node_modules' + sep)[1]))
      .filter((path) => path !== undefined)
      .map((path) => path.split(sep).slice(0, path.startsWith('@') ? 2 : 1).join('/'));
    console.log(JSON.stringify({ status, modules: own.length, packages: [...new Set(packages)].sort() }));
    server.close();
    server.closeAllConnections();
    await db.destroy();
  }
  run();
`;

describe('a panel that mounts the API alone and reads a list', () => {
  let loaded: { readonly status: number; readonly modules: number; readonly packages: readonly string[] };

  beforeAll(() => {
    loaded = printedBy(API_ALONE);
  });

  test('loads at most 202 modules of the package', () => {
    expect(loaded.status).toBe(200);
    expect(loaded.modules).toBeLessThanOrEqual(202);
  });

  test('loads of other packages only the router and the check of its options', () => {
    expect(loaded.packages).toEqual(['@koa/router', 'ajv']);
  });
});

test.each(ENTRIES)('%s loads its part at the first call', (name, entry) => {
  const program = `
    const { sep } = require('node:path');
    const isLoaded = () => Object.keys(require.cache).some((id) => id.includes([, 'dist', '${entry}', ''].join(sep)));
    const { ${name} } = require('koa-panel-api');
    const before = isLoaded();
    try { ${name}({}); } catch {}
    console.log(JSON.stringify([before, isLoaded()]));
  `;
  expect(printedBy(program)).toEqual([false, true]);
});

test('ES modules import each function by its name, from the root and from its entry point', () => {
  const program = `
    import {
      createAccountSection, createApiSection, createMcp, createMetrics, createPanelApi, InvalidInput,
    } from 'koa-panel-api';
    import { createAccountSection as account } from 'koa-panel-api/account-section';
    import { createMcp as assistants } from 'koa-panel-api/assistants';
    import { createMetrics as metrics } from 'koa-panel-api/metrics';
    import { createApiSection as section } from 'koa-panel-api/section';
    const root = [createAccountSection, createApiSection, createMcp, createMetrics, createPanelApi, InvalidInput];
    console.log(JSON.stringify([...root, account, assistants, metrics, section].map(({ name }) => name)));
  `;
  const sections = ['createAccountSection', 'createApiSection'];
  const root = [...sections, 'createMcp', 'createMetrics', 'createPanelApi', 'InvalidInput'];
  const entries = ['createAccountSection', 'createMcp', 'createMetrics', 'createApiSection'];
  expect(printedBy(program, 'module')).toEqual([...root, ...entries]);
});

// An editor shows the description of the declaration that a program imports.
test.each(ENTRIES)('%s has the same description at the root and in its entry point', (name, _entry, file) => {
  const descriptionIn = (source: string) => {
    const [before = ''] = readFileSync(join(ROOT, source), 'utf8').split(`\nexport function ${name}(`);
    return before.slice(before.lastIndexOf('/**'));
  };
  expect(descriptionIn('index.ts')).toMatch(/^\/\*\* *\n \* Creates /);
  expect(descriptionIn('index.ts')).toBe(descriptionIn(file));
});
