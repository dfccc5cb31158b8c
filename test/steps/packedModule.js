const { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');

const hosts = join(__dirname, 'hosts');

/** Packs the module as it is built, as it would be published, into a directory. Returns the path of the tarball. */
async function packModule(directory) {
  mkdirSync(directory, { recursive: true });
  // The script before packing builds it, and other tests use what is built. A planted fault is built.
  const scripts = process.env.PROVE_PLANTED ? [] : ['--ignore-scripts'];
  await runCommand('npm', ['pack', '--silent', ...scripts, '--pack-destination', directory]);
  return tarballIn(directory);
}

/** The tarball that was packed into a directory before; it is packed now if it is missing. */
async function packOnce(directory) {
  return (existsSync(directory) && tarballIn(directory)) || packModule(directory);
}

/** The path of the tarball in a directory; undefined if there is none. */
function tarballIn(directory) {
  const name = readdirSync(directory).find((one) => one.endsWith('.tgz'));
  return name && join(directory, name);
}

/** Creates a host: an empty folder with files of `test/steps/hosts` and these packages, the tarball among them. */
async function createHost(folder, { files, packages }) {
  mkdirSync(folder, { recursive: true });
  for (const file of files) cpSync(join(hosts, file), join(folder, file), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true }));
  await runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  });
}

module.exports = { createHost, packModule, packOnce };
