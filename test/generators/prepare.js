const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { installPackages } = require('../steps/installPackages');
const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');
const { debianPackages, folder, packages } = require('./tools');

/** The generators, compilers for what they write, and what the other tests need. */
async function prepare() {
  await providePrograms();
  await provideBetterSqlite3();
  const missing = Object.entries(debianPackages).filter(([file]) => !existsSync(file));
  if (missing.length > 0) await installPackages(missing.map(([, name]) => name));
  await installGenerators();
}

async function installGenerators() {
  const installed = join(folder, 'installed.json');
  const manifest = JSON.stringify({ private: true, dependencies: packages });
  if (existsSync(installed) && readFileSync(installed, 'utf8') === manifest) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  await runCommand('npm', ['install', '--ignore-scripts', '--prefix', folder], { cwd: folder, minutes: 20 });
  writeFileSync(installed, manifest);
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
