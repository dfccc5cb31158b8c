const { stripVTControlCharacters } = require('node:util');
const { checkPackage } = require('./steps/checkPackage');
const { provision } = require('./steps/provision');
const { runCommand } = require('./runCommand');
const { runJest } = require('./steps/runJest');
const { shortened } = require('./shortened');

const steps = [
  { name: 'provision', needs: [], run: provision },
  { name: 'typecheck', needs: [], run: () => npmScript('typecheck') },
  { name: 'lint', needs: [], run: () => npmScript('lint') },
  { name: 'build', needs: [], run: () => npmScript('build') },
  { name: 'jest', needs: ['provision'], run: runJest },
  { name: 'package', needs: ['provision', 'build'], run: checkPackage },
];

async function main() {
  const results = new Map();
  for (const step of steps) {
    const started = Date.now();
    const result = await resultOf(step, results);
    results.set(step.name, result);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${result.failed === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
    if (result.failed > 0) console.log(`${shortened(stripVTControlCharacters(result.output))}\n`);
  }
  const passed = sum(results, 'passed');
  const failed = sum(results, 'failed');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function resultOf({ needs, run }, results) {
  const broken = needs.find((name) => results.get(name).failed > 0);
  if (broken) return { passed: 0, failed: 1, output: `Not run, because ${broken} failed.` };
  try {
    return (await run()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    return { passed: 0, failed: 1, output: error.message };
  }
}

async function npmScript(name) {
  await runCommand('npm', ['run', '--silent', name]);
}

function sum(results, key) {
  return [...results.values()].reduce((total, result) => total + result[key], 0);
}

// An orderly exit lets the steps take back what they changed on this machine.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

void main();
