const { spawnSync } = require('node:child_process');
const { mkdirSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { ScratchDirectory } = require('../ScratchDirectory');
const { startMariadb } = require('../servers/startMariadb');
const { bundleHost } = require('./bundleHost');
const { checkHosts, checkTypes, installHosts, nodeVersions } = require('./checkHost');
const { checkPlugAndPlay } = require('./checkPlugAndPlay');
const { checkLinks } = require('./checkLinks');
const { installNodes } = require('./installNodes');
const { createHost, packModule } = require('./packedModule');
const { runCommand } = require('../runCommand');

const mayBePacked = [
  /^(package\.json|LICENSE|(README|SECURITY|UPGRADING)\.md)$/,
  /^docs\/((tutorials|how-to|reference|explanation)\/)?([a-z-]+|README)\.md$/,
  /^docs\/monitoring\/[a-z]+\.(json|ya?ml)$/,
  /^dist\/.+\.(js|d\.ts)$/,
  /^dist\/(lib\/audit\/en|section\/(clients|texts\/(en|de)))\.json$/,
];
/** The most bytes of the tarball. */
const MOST_BYTES = 600 * 1024;
/** The most packages that a program installs to read the API with the client. */
const MOST_PACKAGES = 20;

const mustBePacked = [
  'package.json',
  'README.md',
  'LICENSE',
  'SECURITY.md',
  'UPGRADING.md',
  'docs/README.md',
  'docs/monitoring/grafana.json',
  'docs/monitoring/prometheus.yml',
  'docs/monitoring/rules.yml',
  'docs/monitoring/zabbix.yaml',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/bin/panel-api.js',
  'dist/bin/monitor/check_panel.js',
  'dist/client/index.js',
  'dist/client/index.d.ts',
  'dist/client/FileStore.js',
  'dist/client/FileStore.d.ts',
  'dist/lib/health/published.js',
  'dist/section/assetTexts.js',
];

/**
 * Packs the module as it would be published and uses the tarball as a panel would: on the oldest Node and on this one, or
 * if it is `whole` on every Node, and with Yarn too.
 */
async function checkPackage({ whole = false } = {}) {
  const directory = new ScratchDirectory('package');
  const versions = whole ? nodeVersions : [nodeVersions[0], process.versions.node];
  try {
    const tarball = await packModule(directory.path);
    const [nodes, hosts] = await allOf([
      installNodes(versions, directory.path),
      provideHosts(tarball, directory.path),
      checkTarball(tarball, directory.path),
    ]);
    // Last, because it may be missing.
    await withMariadb((serverUrl) =>
      allOf([
        runHosts({ hosts, nodes, serverUrl }),
        whole && checkPlugAndPlay({ tarball, folder: join(directory.path, 'yarn'), serverUrl }),
      ]),
    );
  } finally {
    await directory.remove();
  }
}

/** The results of tasks that work in one directory. Throws the first error when all have ended. */
async function allOf(tasks) {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

/** Runs the hosts on each Node. */
async function runHosts({ hosts, nodes, serverUrl }) {
  for (const node of nodes) {
    const chosen = hosts.filter(({ onOldest }) => !onOldest || node === nodes[0]);
    await checkHosts({ hosts: chosen, node, serverUrl });
  }
}

async function withMariadb(use) {
  if (process.env.MYSQL_URL) return use(process.env.MYSQL_URL);
  const mariadb = await startMariadb();
  try {
    await use(mariadb.url);
  } finally {
    await mariadb.stop();
  }
}

/** Installs the tarball beside programs of both kinds of modules, and into a host with the lowest releases of its peers. */
async function provideHosts(tarball, directory) {
  const folder = join(directory, 'host');
  const oldest = join(directory, 'oldest');
  const files = ['commonjs.cjs', 'esm.mjs'];
  await allOf([
    installHosts({ files, tarball, folder }),
    installHosts({ files: files.slice(0, 1), tarball, folder: oldest, isOldest: true }),
  ]);
  await checkTypes(folder);
  const hosts = files.map((file) => ({ file, folder }));
  // A bundle is the same on each Node.
  const bundled = await Promise.all(hosts.map(bundleHost));
  const onOldest = [...bundled, { file: files[0], folder: oldest }].map((host) => ({
    ...host,
    onOldest: true,
  }));
  return [...hosts, ...onOldest];
}

async function checkTarball(tarball, directory) {
  const { size } = statSync(tarball);
  if (size > MOST_BYTES) throw new Error(`The package has ${size} bytes, more than ${MOST_BYTES}.`);
  await checkFiles(tarball);
  await checkLinks(tarball, directory);
  await checkExports(tarball);
  await checkClient(tarball, join(directory, 'client'));
  await checkPlugin(tarball, directory);
}

async function checkFiles(tarball) {
  const listing = await runCommand('tar', ['--list', '--gzip', '--file', tarball]);
  const files = listing
    .trim()
    .split('\n')
    .map((line) => line.replace(/^package\//, ''));
  const unwanted = files.filter((file) => !mayBePacked.some((pattern) => pattern.test(file)));
  const missing = mustBePacked.filter((file) => !files.includes(file));
  if (unwanted.length > 0) throw new Error(`The package must not contain ${unwanted.join(', ')}.`);
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}.`);
}

/** publint and attw must find nothing at all, suggestions included. */
async function checkExports(tarball) {
  const publint = await runCommand('npx', ['publint', 'run', tarball, '--strict']);
  if (!publint.includes('All good!')) throw new Error(publint);
  await runCommand('npx', ['attw', tarball]);
}

/** The client must load without the peers, as `docs/how-to/use-the-client.md` installs it. */
async function checkClient(tarball, folder) {
  await createHost(folder, { files: [], packages: ['--omit=peer', tarball] });
  await runCommand(
    'node',
    ['--eval', "require('koa-panel-api/client'); require('koa-panel-api/client/node')"],
    { cwd: folder },
  );
  const installed = readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8');
  const packages = Object.keys(JSON.parse(installed).packages);
  if (packages.length > MOST_PACKAGES)
    throw new Error(`The client installs ${packages.length} packages, more than ${MOST_PACKAGES}.`);
}

/** The plugin for monitoring must run beside the client, and from the folders that `docs/how-to/monitor.md` copies. */
async function checkPlugin(tarball, directory) {
  const copy = join(directory, 'plugin');
  mkdirSync(copy);
  const folders = ['package/dist/bin/monitor', 'package/dist/client', 'package/dist/lib/problems'];
  await runCommand('tar', ['--extract', '--gzip', '--file', tarball, '--directory', copy, ...folders]);
  const files = [
    join(directory, 'client/node_modules/.bin/check_panel'),
    join(copy, 'package/dist/bin/monitor/check_panel.js'),
  ];
  const env = { ...process.env, PANEL_API_TOKEN: 'x' };
  for (const file of files) {
    const { status, stdout } = spawnSync(file, ['--url', 'http://127.0.0.1:4'], { env, encoding: 'utf8' });
    if (status !== 2 || !stdout.startsWith('PANEL CRITICAL')) throw new Error(`${file}: ${status} ${stdout}`);
  }
}

module.exports = { checkPackage };
