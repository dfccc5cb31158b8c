const { spawn } = require('node:child_process');
const { join } = require('node:path');

const root = join(__dirname, '..');
const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill();
});

/**
 * Runs a program in the repository's root, or in `cwd`, as this user or as `identity` (uid and gid). Resolves with its
 * standard output. Rejects with all of its output if it fails or takes longer than `minutes`.
 */
function runCommand(program, args, { cwd = root, env = {}, identity = {}, minutes = 10 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      ...identity,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: minutes * 60_000,
    });
    let stdout = '';
    let printed = '';
    running.add(child);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    child.once('error', (error) => {
      running.delete(child);
      reject(new Error(`${program} could not be run: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      if (code === 0) return resolve(stdout);
      const end = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
      reject(new Error(`${[program, ...args].join(' ')} ${end}:\n${printed.trimEnd()}`));
    });
  });
}

module.exports = { runCommand };
