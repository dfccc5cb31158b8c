const { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { packModule } = require('../steps/packedModule');
const { compileBetterSqlite3, provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');
const { folder, manifest } = require('./packages');

const quietly = ['--legacy-peer-deps', '--no-audit', '--no-fund'];

/** Installs the runtimes and the frameworks of them, and the module as it would be published. */
async function prepare() {
  await providePrograms();
  await provideBetterSqlite3();
  await compileBetterSqlite3();
  mkdirSync(folder, { recursive: true });
  await installRuntimes();
  rmSync(join(folder, 'packed'), { recursive: true, force: true });
  const tarball = await packModule(join(folder, 'packed'));
  const npm = (...args) => runCommand('npm', [...args, ...quietly], { cwd: folder, minutes: 10 });
  await npm('install', '--no-save', '--ignore-scripts', tarball);
  cpSync(join(__dirname, 'panels'), folder, { recursive: true });
}

async function installRuntimes() {
  const installed = join(folder, 'installed.json');
  const text = JSON.stringify(manifest);
  if (existsSync(installed) && readFileSync(installed, 'utf8') === text) return;
  writeFileSync(join(folder, 'package.json'), text);
  await runCommand('npm', ['install', ...quietly], { cwd: folder, minutes: 10 });
  writeFileSync(installed, text);
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
