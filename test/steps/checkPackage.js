const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const { ScratchDirectory } = require('../ScratchDirectory');
const { startMariadb } = require('../servers/startMariadb');
const { checkHost } = require('./checkHost');
const { runCommand } = require('../runCommand');

const mayBePacked = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(.+\.js|.+\.d\.ts|release\.json|section\/assets\/.+\.css)$/,
];
const mustBePacked = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/bin/panel-api.js',
  'dist/release.json',
  'dist/section/assets/section.css',
  'dist/section/assets/section.js',
];

/** Packs the module as it would be published and uses the tarball as a panel would. */
async function checkPackage() {
  const directory = new ScratchDirectory('package');
  const mariadb = process.env.MYSQL_URL ? undefined : await startMariadb();
  try {
    const tarball = await pack(directory.path);
    await checkFiles(tarball);
    await checkExports(tarball);
    for (const file of ['commonjs.cjs', 'esm.mjs']) {
      await checkHost({
        file,
        tarball,
        directory: directory.path,
        serverUrl: mariadb?.url ?? process.env.MYSQL_URL,
      });
    }
  } finally {
    await mariadb?.stop();
    await directory.remove();
  }
}

async function pack(directory) {
  await runCommand('npm', ['pack', '--silent', '--pack-destination', directory]);
  return join(
    directory,
    readdirSync(directory).find((name) => name.endsWith('.tgz')),
  );
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

module.exports = { checkPackage };
