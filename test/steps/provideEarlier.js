const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { cp, mkdir, rename, rm, symlink } = require('node:fs/promises');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');

/** The commit whose package the tests run beside the present one. Its tables are those of the migration 0001. */
const commit = 'f20e14d62ed901e2c24a43cc140b93990ac95f21';
const modules = join(__dirname, '..', '..', 'node_modules');
/** Every `npm install` keeps this folder. */
const folder = join(modules, '.cache', 'versions', commit);

/**
 * Builds that package once, beside the packages of the tree, which fit its ranges. The rule for a clone without the
 * commit, such as a shallow one, stands here alone: `npm test` leaves out the tests of two versions and says so, also
 * with CI, because nothing else needs the history; `npm run prove` fails.
 */
async function provideEarlier() {
  if (existsSync(folder)) return undefined;
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: __dirname });
  const reason = `this clone lacks the commit ${commit}, which git fetch --unshallow would get`;
  if (status !== 0) return { passed: 0, failed: 0, leftOut: [reason] };
  const source = new ScratchDirectory('version');
  try {
    await runCommand('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, source.path]);
    await symlink(modules, join(source.path, 'node_modules'));
    for (const part of ['build:emit', 'build:end'])
      await runCommand('npm', ['run', '--silent', part], { cwd: source.path });
    // A run that is interrupted leaves nothing half copied.
    const copy = `${folder}.${process.pid}`;
    await mkdir(copy, { recursive: true });
    for (const name of ['dist', 'package.json'])
      await cp(join(source.path, name), join(copy, name), { recursive: true });
    await rename(copy, folder).catch((error) => {
      // Another run may have built the same meanwhile.
      if (!existsSync(folder)) throw error;
      return rm(copy, { recursive: true });
    });
  } finally {
    await source.remove();
  }
  return undefined;
}

module.exports = { folder, provideEarlier };
