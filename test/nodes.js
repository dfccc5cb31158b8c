const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { lines } = require('./steps/installNodes');
const { ScratchDirectory } = require('./ScratchDirectory');

// Runs `npm test` on each line of Node, or on those that the command line names, each in a clean clone of the last commit.

const root = join(__dirname, '..');

async function main(words) {
  const failed = [];
  for (const line of words.length > 0 ? words : lines) {
    console.log(`Node ${line}`);
    if (!(await passes(line))) failed.push(line);
  }
  console.log(failed.length === 0 ? 'All passed.' : `Failed on Node ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

async function passes(line) {
  const directory = new ScratchDirectory('nodes', { onDisk: true });
  const commands = [
    ['git', 'clone', '--quiet', root, '.'],
    ['npm', 'ci', '--no-audit', '--no-fund'],
    ['npm', 'test', '--silent'],
  ];
  const env = { ...process.env, TEST_NODE: line };
  try {
    return commands.every(
      ([program, ...args]) =>
        spawnSync(program, args, { cwd: directory.path, env, stdio: 'inherit' }).status === 0,
    );
  } finally {
    await directory.remove();
  }
}

void main(process.argv.slice(2));
