const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');

/** The lines with long-term support, which the module supports. */
const lines = ['22', '24', '26'];

/** Installs these versions of Node from npm, except for this one, and resolves with `{ version, path }` of each. */
async function installNodes(versions, directory) {
  const folder = folderIn(directory);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'nodes', private: true }));
  // The package `node` runs a script to install one of these.
  const packages = versions
    .filter((version) => !isThis(version))
    .map((version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`);
  await runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  });
  return Promise.all(versions.map((version) => installed(version, directory)));
}

async function installed(wanted, directory) {
  const path = isThis(wanted) ? process.execPath : pathOf(wanted, directory);
  const version = (await runCommand(path, ['--version'])).trim().slice(1);
  if (!isOf(wanted, version)) throw new Error(`npm installed Node ${version}, not ${wanted}.`);
  return { version, path };
}

/** Where `installNodes` installs a version below a directory. */
function pathOf(version, directory) {
  return join(folderIn(directory), 'node_modules', `node-${version}`, 'bin', 'node');
}

function folderIn(directory) {
  return join(directory, 'nodes');
}

/** Whether this process runs on a release of that version or line. */
function isThis(wanted) {
  return isOf(wanted, process.versions.node);
}

function isOf(wanted, version) {
  return `${version}.`.startsWith(`${wanted}.`);
}

module.exports = { installNodes, isThis, lines, pathOf };
