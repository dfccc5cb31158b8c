const { cpSync, mkdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { ScratchDirectory } = require('../ScratchDirectory');
const { runCommand } = require('../runCommand');

const root = join(__dirname, '..', '..');

/** Throws unless npm installs from the lock files of the module and the demo, and changes nothing in them. */
async function checkLockFiles() {
  const directory = new ScratchDirectory('locks');
  try {
    // The demo's lock file describes the module beside it.
    for (const folder of ['.', 'demo']) {
      mkdirSync(join(directory.path, folder), { recursive: true });
      for (const name of ['package.json', 'package-lock.json', '.npmrc'])
        cpSync(join(root, folder, name), join(directory.path, folder, name));
    }
    for (const folder of ['.', 'demo']) await checkLockFile(directory.path, folder);
  } finally {
    await directory.remove();
  }
}

async function checkLockFile(parent, folder) {
  const cwd = join(parent, folder);
  const lockFile = () => readFileSync(join(cwd, 'package-lock.json'), 'utf8');
  const before = lockFile();
  const hosts = before.match(/"resolved": "\w+:.*/g) ?? [];
  if (hosts.length > 0)
    throw new Error(`The lock file of ${folder} names the host of a registry: ${hosts[0]}`);
  await runCommand('npm', ['ci', '--dry-run', '--ignore-scripts'], { cwd });
  await runCommand('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd });
  if (lockFile() !== before)
    throw new Error(
      `In ${folder}, npm changes package-lock.json: run npm install there, and commit the result.`,
    );
}

module.exports = { checkLockFiles };
