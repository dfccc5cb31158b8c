const {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { packModule } = require('../steps/packedModule');
const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');
const { folder, packages } = require('./packages');

/** Installs the frameworks and the data layers, and the module as it would be published. */
async function prepare() {
  await providePrograms();
  await provideBetterSqlite3();
  mkdirSync(folder, { recursive: true });
  await installFrameworks();
  rmSync(join(folder, 'packed'), { recursive: true, force: true });
  const tarball = await packModule(join(folder, 'packed'));
  await runCommand(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', tarball],
    { cwd: folder, minutes: 5 },
  );
  const panels = join(__dirname, 'panels');
  for (const name of readdirSync(panels)) rmSync(join(folder, name), { recursive: true, force: true });
  cpSync(panels, folder, { recursive: true });
}

async function installFrameworks() {
  const installed = join(folder, 'installed.json');
  const manifest = JSON.stringify({ private: true, dependencies: packages });
  if (existsSync(installed) && readFileSync(installed, 'utf8') === manifest) return;
  writeFileSync(join(folder, 'package.json'), manifest);
  await runCommand('npm', ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'], {
    cwd: folder,
    minutes: 20,
  });
  writeFileSync(installed, manifest);
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
