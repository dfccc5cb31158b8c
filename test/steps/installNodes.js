const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');

/** Installs these versions of Node from npm, and resolves with `{ version, path }` of each. */
async function installNodes(versions, directory) {
  const folder = join(directory, 'nodes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'nodes', private: true }));
  // The package `node` runs a script to install one of these.
  const packages = versions.map(
    (version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`,
  );
  await runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  });
  return Promise.all(versions.map((version) => installed(version, folder)));
}

async function installed(wanted, folder) {
  const path = join(folder, 'node_modules', `node-${wanted}`, 'bin', 'node');
  const version = (await runCommand(path, ['--version'])).trim().slice(1);
  if (!`${version}.`.startsWith(`${wanted}.`))
    throw new Error(`npm installed Node ${version}, not ${wanted}.`);
  return { version, path };
}

module.exports = { installNodes };
