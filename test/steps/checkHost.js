const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const { basename, delimiter, extname, join } = require('node:path');
const { createConnection } = require('mysql2/promise');
const { engines } = require('../../package.json');
const { HostProcess } = require('./HostProcess');
const { lines } = require('./installNodes');
const { createHost } = require('./packedModule');
const { floorsOf, newest } = require('./peers');
const { runCommand } = require('../runCommand');

const hosts = join(__dirname, 'hosts');
/** The folder of the tests' own `systemctl`: the machine may have none, and then no list of services. */
const systemd = join(__dirname, '..', 'servers', 'systemd');
const peers = ['koa', '@types/koa', 'knex', 'mysql2', 'winston'];
const besides = [...peers.map(newest), 'esbuild@0.28.2', 'tsx@4.23.15'];
const oldestBesides = peers.map((name) => floorsOf(name)[0]);

/** The oldest Node that the module runs on, and the newest release of each line that it supports. */
const nodeVersions = [engines.node.replace('>=', ''), ...lines];

/** Installs the tarball and its peers beside programs of `test/steps/hosts` in an empty folder. */
async function installHosts({ files, tarball, folder, isOldest = false }) {
  await createHost(folder, {
    files: [...files, ...files.map(clientOf), 'listen.cjs', 'types.ts', 'typescript'],
    packages: [tarball, ...(isOldest ? oldestBesides : besides)],
  });
}

/**
 * Runs the programs in their folders on one Node, `{ version, path }`, over one database, and uses each as a client
 * would, and the command in the first folder as an administrator would.
 */
async function checkHosts({ serverUrl, node, hosts }) {
  await withDatabase(serverUrl, async (databaseUrl) => {
    const PATH = [systemd, process.env.PATH].join(delimiter);
    const env = { PANEL_API_DATABASE_URL: databaseUrl, PATH };
    const running = hosts.map((host) => new RunningHost(node, host, env));
    try {
      await checkAnswers({ running, node, env, cwd: hosts[0].folder });
    } finally {
      for (const host of running) host.kill();
    }
  });
}

// Declarations of every package are checked too, as a strict host does.
async function checkTypes(folder) {
  const compilerOptions = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, module: 'node20' };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ['types.ts'] }));
  await runCommand('npx', ['tsc', '--project', project]);
}

async function checkAnswers({ running, node, env, cwd }) {
  const command = join('node_modules', '.bin', 'panel-api');
  const panelApi = (...args) => runCommand(node.path, [command, ...args], { cwd, env });
  const each = (use) => Promise.all(running.map((host) => host.naming(use)));
  await each(async (host) => {
    await host.listening();
    assert.deepEqual(await host.answer('me'), [503, 'api_disabled']);
  });
  // tsx reads what no Node strips.
  const status = await panelApi('--config', 'typescript/panel-api.config.ts', 'status');
  assert.match(status, /^api +off$/m, 'panel-api does not read a configuration file in TypeScript');
  await panelApi('enable');
  const token = (
    await panelApi('token', 'create', '--name', 'test', '--scope', '*', '--rate-limit', '1000')
  ).trim();
  assert.match(token, /^\S+$/, 'panel-api token create prints more than the token');
  await each((host) => host.checkServing(token));
  await panelApi('token', 'revoke', '1');
  await each(async (host) => {
    assert.deepEqual(await host.answer('me', token), [401, 'token_revoked']);
    await host.stop();
  });
}

class RunningHost {
  #node;
  #host;
  #process;
  #url;

  constructor(node, host, env) {
    this.#node = node;
    this.#host = host;
    this.#process = new HostProcess(node.path, host.file, host.folder, env);
  }

  /** Names the host in the error if the task fails. */
  async naming(task) {
    try {
      await task(this);
    } catch (error) {
      const { file, folder } = this.#host;
      const { version } = this.#node;
      throw new Error(
        `${file} in ${basename(folder)} on Node ${version}: ${error.message}\n${this.#process.printed}`,
      );
    }
  }

  async listening() {
    this.#url = await this.#process.listening();
  }

  async checkServing(token) {
    // The build lists the endpoints.
    for (const { name } of require('../../dist/routes').operations)
      assert.deepEqual([name, ...(await this.answer(name, token))], [name, 200, undefined]);
    const { file, folder, isBundle = false } = this.#host;
    const given = { cwd: folder, env: { PANEL_URL: this.#url, TOKEN: token } };
    const read = await runCommand(this.#node.path, [clientOf(file)], given);
    assert.equal(read, 'shop.example\nquery_invalid\n');
    assert.deepEqual(await this.answer('me', `${token}x`), [401, 'token_unknown']);
    const { runtime, checks } = (await this.#request('release-audit', token)).body.data;
    assert.equal(runtime.node, this.#node.version);
    // The files of the installed package must be those that the build wrote down. A bundle has none.
    assert.equal(checks.find(({ id }) => id === 'files').status, isBundle ? 'warn' : 'pass');
    const styles = await fetch(`${this.#url}/admin/api/assets/section.css`);
    assert.deepEqual([styles.status, /\{/.test(await styles.text())], [200, true]);
  }

  async answer(name, token) {
    const { status, text, body } = await this.#request(name, token);
    assert.equal(body.success, status === 200);
    assert.ok(!text.includes('canary-7d1f'), `${name}.php contains a secret.`);
    return [status, body.error?.code];
  }

  async #request(name, token) {
    const response = await fetch(`${this.#url}/api/v1/${name}.php`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  }

  stop() {
    return this.#process.stop();
  }

  kill() {
    this.#process.kill();
  }
}

/** The program that reads the host's API with the client, in the same kind of module. */
function clientOf(file) {
  return `client${extname(file)}`;
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

module.exports = { checkHosts, checkTypes, installHosts, nodeVersions, withDatabase };
