const { existsSync, readFileSync } = require('node:fs');
const { rename, rm } = require('node:fs/promises');
const { join } = require('node:path');
const { installNodes, isThis, pathOf } = require('./installNodes');

const root = join(__dirname, '..', '..');

/**
 * Returns the path of the Node of the tests: the newest release of the line in `.nvmrc`, or in TEST_NODE. npm installs
 * it once, unless this Node is of that line.
 */
async function provideNode() {
  const line = process.env.TEST_NODE || readFileSync(join(root, '.nvmrc'), 'utf8').trim();
  if (isThis(line)) return process.execPath;
  const folder = join(root, 'node_modules', '.cache', `node-${line}`);
  if (!existsSync(pathOf(line, folder))) {
    console.error(`npm installs Node ${line} for the tests.`);
    const work = `${folder}-new`;
    await rm(work, { recursive: true, force: true });
    await installNodes([line], work);
    await rename(work, folder);
  }
  return pathOf(line, folder);
}

module.exports = { provideNode };
