const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { folder, packages } = require('./packages');

/** Installs the inspector and the conformance suite of the protocol, and the driver of the panel's database. */
async function prepare() {
  await provideBetterSqlite3();
  mkdirSync(folder, { recursive: true });
  const installed = join(folder, 'installed.json');
  const manifest = JSON.stringify({ private: true, dependencies: packages });
  if (existsSync(installed) && readFileSync(installed, 'utf8') === manifest) return;
  writeFileSync(join(folder, 'package.json'), manifest);
  await runCommand('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    minutes: 10,
  });
  writeFileSync(installed, manifest);
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
