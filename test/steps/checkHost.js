const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { extname, join } = require('node:path');
const { createConnection } = require('mysql2/promise');
const { engines } = require('../../package.json');
const { HostProcess } = require('./HostProcess');
const { lines } = require('./installNodes');
const { createHost } = require('./packedModule');
const { floorsOf, newest } = require('./peers');
const { runCommand } = require('../runCommand');

const hosts = join(__dirname, 'hosts');
/** Without systemd there is no list of services. */
const hasSystemd = existsSync('/run/systemd/system');
const peers = ['koa', '@types/koa', 'knex', 'mysql2', 'winston'];
const besides = [...peers.map(newest), 'esbuild@0.28.2'];
const oldestBesides = peers.map((name) => floorsOf(name)[0]);

/** The oldest Node that the module runs on, and the newest release of each line that it supports. */
const nodeVersions = [engines.node.replace('>=', ''), ...lines];

/** Installs the tarball and its peers beside a program of `test/steps/hosts` in an empty folder, and returns the folder. */
async function installHost({ file, tarball, directory, isOldest = false }) {
  const folder = join(directory, isOldest ? 'oldest' : extname(file).slice(1));
  await createHost(folder, {
    files: [file, clientOf(file), 'listen.cjs', 'types.ts'],
    packages: [tarball, ...(isOldest ? oldestBesides : besides)],
  });
  return folder;
}

/** Runs the program in its folder on one Node, `{ version, path }`, and uses it as an administrator would. */
async function checkHost({ serverUrl, ...host }) {
  await withDatabase(serverUrl, (url) => checkAnswers({ ...host, env: { PANEL_API_DATABASE_URL: url } }));
}

// Declarations of every package are checked too, as a strict host does.
async function checkTypes(folder) {
  const compilerOptions = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, module: 'node20' };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ['types.ts'] }));
  await runCommand('npx', ['tsc', '--project', project]);
}

async function checkAnswers({ file, folder, isBundle = false, node, env }) {
  const command = join('node_modules', '.bin', 'panel-api');
  const panelApi = (...args) => runCommand(node.path, [command, ...args], { cwd: folder, env });
  const host = new HostProcess(node.path, file, folder, env);
  try {
    const url = await host.listening();
    assert.deepEqual(await answer(url, 'me'), [503, 'api_disabled']);
    await panelApi('enable');
    const token = (await panelApi('token', 'create', '--name', 'test', '--scope', '*')).trim();
    assert.match(token, /^\S+$/, 'panel-api token create prints more than the token');
    // The build lists the endpoints.
    for (const { name } of require('../../dist/routes').operations) {
      const expected = name === 'services' && !hasSystemd ? [501, 'resource_unavailable'] : [200, undefined];
      assert.deepEqual([name, ...(await answer(url, name, token))], [name, ...expected]);
    }
    const given = { cwd: folder, env: { PANEL_URL: url, TOKEN: token } };
    const read = await runCommand(node.path, [clientOf(file)], given);
    assert.equal(read, 'shop.example\nquery_invalid\n');
    assert.deepEqual(await answer(url, 'me', `${token}x`), [401, 'token_unknown']);
    const { runtime, checks } = await releaseAudit(url, token);
    assert.equal(runtime.node, node.version);
    // The files of the installed package must be those that the build wrote down. A bundle has none.
    assert.equal(checks.find(({ id }) => id === 'files').status, isBundle ? 'warn' : 'pass');
    const styles = await fetch(`${url}/admin/api/assets/section.css`);
    assert.deepEqual([styles.status, /\{/.test(await styles.text())], [200, true]);
    await panelApi('token', 'revoke', '1');
    assert.deepEqual(await answer(url, 'me', token), [401, 'token_revoked']);
    await host.stop();
  } catch (error) {
    throw new Error(`${file} on Node ${node.version}: ${error.message}\n${host.printed}`);
  } finally {
    host.kill();
  }
}

/** The program that reads the host's API with the client, in the same kind of module. */
function clientOf(file) {
  return `client${extname(file)}`;
}

async function answer(url, name, token) {
  const { status, text, body } = await request(url, name, token);
  assert.equal(body.success, status === 200);
  assert.ok(!text.includes('canary-7d1f'), `${name}.php contains a secret.`);
  return [status, body.error?.code];
}

async function releaseAudit(url, token) {
  const { body } = await request(url, 'release-audit', token);
  return body.data;
}

async function request(url, name, token) {
  const response = await fetch(`${url}/api/v1/${name}.php`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

/** Creates a database with the tables of `panel.sql`, and drops it when it was used. */
async function withDatabase(serverUrl, use) {
  const name = `panel_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const connection = await createConnection({ uri: serverUrl, multipleStatements: true });
  try {
    await connection.query(`create database ${name}; use ${name};`);
    await connection.query(readFileSync(join(hosts, 'panel.sql'), 'utf8'));
    await use(url.href);
  } finally {
    await connection.query(`drop database if exists ${name}`);
    await connection.end();
  }
}

module.exports = { checkHost, checkTypes, installHost, nodeVersions, withDatabase };
