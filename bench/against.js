const { mkdir, symlink } = require('node:fs/promises');
const { join, resolve } = require('node:path');
const { runCommand } = require('../test/runCommand');
const { ScratchDirectory } = require('../test/ScratchDirectory');
const { contestants, ROOT } = require('./contestants');

/** Each side has several processes, because two of the same build differ too. */
const processesOfASide = 2;

/**
 * Another version of the module, with the packages of this one: a commit or branch, which is built in a temporary
 * directory, or a packed tarball, which is built already.
 */
async function buildOther(version) {
  const directory = new ScratchDirectory('bench');
  const folder = join(directory.path, 'package');
  const isTarball = /\.(tgz|tar\.gz)$/.test(version);
  await mkdir(folder);
  try {
    if (isTarball) await runCommand('tar', ['-xzf', resolve(version), '-C', directory.path]);
    else {
      const archive = join(directory.path, 'archive.tar');
      await runCommand('git', ['archive', '--output', archive, version]);
      await runCommand('tar', ['-xf', archive, '-C', folder]);
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    if (!isTarball) await runCommand('npm', ['run', '--silent', 'build'], { cwd: folder });
    return { folder, remove: () => directory.remove() };
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

/** The processes of both sides with these stores, a process of this build and one of the other in turn. */
function bothSides(stores, version, folder) {
  return stores.flatMap((store) => {
    const mine = { ...contestants[store], label: `this, ${store}`, promises: false };
    const other = {
      ...mine,
      name: `other-${store}`,
      label: `${version}, ${store}`,
      build: folder,
      database: 'other',
    };
    return Array.from({ length: processesOfASide }, (_, copy) => [
      { ...mine, copy },
      { ...other, copy },
    ]).flat();
  });
}

/** The two sides of each store. */
function pairsOfSides(subjects) {
  const named = (name) => subjects.filter((subject) => subject.name === name);
  const stores = [...new Set(subjects.map(({ name }) => name))].filter((name) => !name.startsWith('other-'));
  return stores.map((store) => [named(store), named(`other-${store}`)]);
}

module.exports = { bothSides, buildOther, pairsOfSides };
