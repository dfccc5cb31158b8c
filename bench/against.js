const { mkdir, symlink } = require('node:fs/promises');
const { basename, join, resolve } = require('node:path');
const { runCommand } = require('../test/runCommand');
const { ScratchDirectory } = require('../test/ScratchDirectory');
const { contestants, ROOT } = require('./contestants');

/** Each side has several processes, because two of the same build differ too. */
const processesOfASide = 2;

/**
 * The folder of another version of the module, with the packages of this one: a commit or branch, which is built in a
 * temporary directory, or a packed tarball, which is built already.
 */
async function buildOther(version) {
  const { path } = new ScratchDirectory('bench');
  const folder = join(path, 'package');
  const isTarball = /\.(tgz|tar\.gz)$/.test(version);
  await mkdir(folder);
  if (isTarball) await runCommand('tar', ['-xzf', resolve(version), '-C', path]);
  else {
    const archive = join(path, 'archive.tar');
    await runCommand('git', ['archive', '--output', archive, version]);
    await runCommand('tar', ['-xf', archive, '-C', folder]);
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  if (!isTarball) await runCommand('npm', ['run', '--silent', 'build'], { cwd: folder });
  return folder;
}

/** The processes of both sides with these stores, a process of this build and one of the other in turn. */
async function bothSides(stores, version) {
  const build = await buildOther(version);
  return stores.flatMap((store) => {
    const mine = { ...contestants[store], label: `this, ${store}`, promises: false };
    const label = `${basename(version)}, ${store}`;
    const other = { ...mine, name: `other-${store}`, label, build, database: 'other' };
    return Array.from({ length: processesOfASide }, (_, copy) =>
      [mine, other].map((side) => ({ ...side, copy })),
    ).flat();
  });
}

module.exports = { bothSides };
