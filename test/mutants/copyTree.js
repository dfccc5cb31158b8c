const {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');
const { locate } = require('./anchors');

const root = join(__dirname, '..', '..');
const leftOut = new Set(['.git', 'dist', 'node_modules']);

/**
 * Copies the tree. The packages and what is built are links to those of the tree. The copy is deleted when this process
 * ends. Returns its path.
 */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'panel-api-mutants-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  for (const folder of ['node_modules', 'dist']) link(copy, folder);
  return copy;
}

function link(copy, folder) {
  rmSync(join(copy, folder), { recursive: true, force: true });
  if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(copy, folder));
}

/** Plants a mutant in a copy of the tree. Returns a function that removes it, and what was built with it. */
function plant(copy, mutant) {
  const path = join(copy, locate(mutant).source);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(mutant.text, () => mutant.replacement),
  );
  return () => {
    writeFileSync(path, sound);
    link(copy, 'dist');
  };
}

module.exports = { copyTree, plant };
