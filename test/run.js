const { join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { checkLockFiles } = require('./steps/checkLockFiles');
const { checkPackage } = require('./steps/checkPackage');
const { provideBetterSqlite3 } = require('./steps/provideBetterSqlite3');
const { provideEarlier } = require('./steps/provideEarlier');
const { providePrograms } = require('./steps/providePrograms');
const { countedReasons, mayLeaveOut, missingAmong } = require('./missing');
const { runCommand } = require('./runCommand');
const { runJest } = require('./steps/runJest');
const { shortened } = require('./shortened');

/** A step begins when the steps in `needs` have passed and those in `after` have ended. */
const steps = [
  { name: 'programs', needs: [], run: providePrograms },
  { name: 'better-sqlite3', needs: ['programs'], run: provideBetterSqlite3 },
  { name: 'earlier version', needs: [], run: provideEarlier },
  { name: 'lock files', needs: [], run: checkLockFiles },
  { name: 'typecheck', needs: [], run: () => npmScript('typecheck') },
  { name: 'lint', needs: [], after: ['typecheck'], run: () => npmScript('lint') },
  { name: 'build', needs: [], run: () => npmScript('build') },
  { name: 'package', needs: ['programs', 'build'], run: checkPackage },
  // Beside the package, whose installations wait for the network and the disk; after the linter, which would also read
  // what the tests write into the tree.
  {
    name: 'jest',
    needs: ['better-sqlite3', 'earlier version', 'build'],
    after: ['lint'],
    run: () => runJest(),
  },
];

// The tests start programs a thousand times. Node need not compile them anew each time.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '..', 'node_modules', '.cache', 'compiled');

async function main() {
  console.log(`Node ${process.versions.node}`);
  const results = new Map();
  for (const step of steps) results.set(step.name, inTurn(step, results));
  const ended = await Promise.all(results.values());
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) => sum(ended, key));
  for (const line of countedReasons(ended.flatMap((result) => result.leftOut ?? []))) console.log(line);
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  process.exitCode = failed === 0 && (skipped === 0 || mayLeaveOut()) ? 0 : 1;
}

async function inTurn(step, results) {
  const { name, needs, after = [] } = step;
  await Promise.all([...needs, ...after].map((other) => results.get(other)));
  const started = Date.now();
  const result = await resultOf(step, results);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const end = result.failed > 0 ? 'FAILED' : result.skipped > 0 ? 'part  ' : 'ok    ';
  console.log(`${end} ${name} (${seconds} s)`);
  if (result.failed > 0) console.log(`${shortened(stripVTControlCharacters(result.output))}\n`);
  return result;
}

async function resultOf({ needs, run }, results) {
  for (const name of needs) {
    const { failed } = await results.get(name);
    if (failed > 0) return { passed: 0, failed: 1, output: `Not run, because ${name} failed.` };
  }
  try {
    return (await run()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    if (missingAmong([error]) && mayLeaveOut())
      return { passed: 0, failed: 0, skipped: 1, leftOut: [error.message] };
    return { passed: 0, failed: 1, output: error.message };
  }
}

async function npmScript(name) {
  await runCommand('npm', ['run', '--silent', name]);
}

function sum(results, key) {
  return results.reduce((total, result) => total + (result[key] ?? 0), 0);
}

// An orderly exit lets the steps undo their changes to this machine.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

void main();
