const { parseArgs } = require('node:util');
const { locate } = require('../mutants/anchors');
const { copyTree, plant } = require('../mutants/copyTree');
const { mutants } = require('../mutants/mutants');
const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { provideEarlier } = require('../steps/provideEarlier');
const { providePrograms } = require('../steps/providePrograms');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');
const { shortened } = require('../shortened');
const { proofs } = require('./proofs');
const { runProof } = require('./runProof');

const USAGE = `npm run prove [-- [OPTIONS] [NAME ...]]

Proves that the module keeps its promises: all proofs, or those that are named.

  --list     prints the proofs and their promises
  --json     prints the results as JSON; npm run --silent prove prints nothing else
  --fast     tries as much as npm test does
  --long     tries ten times as much
  --plants   instead plants each proof's faults, one at a time: the proof must then fail
  --plant    the same for the proofs that are named

PROVE_SEED=NUMBER repeats the generated input of the run that printed this seed.`;

const OPTIONS = {
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  fast: { type: 'boolean' },
  long: { type: 'boolean' },
  plants: { type: 'boolean' },
  plant: { type: 'boolean' },
  help: { type: 'boolean' },
};

async function main() {
  const { values: given, positionals: names } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const chosen = proofs.filter(({ name }) => names.length === 0 || names.includes(name));
  const unknown = names.filter((name) => !proofs.some((proof) => proof.name === name));
  if (given.help) return console.log(USAGE);
  if (unknown.length > 0) throw new Error(`There is no proof ${unknown.join(', ')}. --list prints all.`);
  if (given.plant && names.length === 0)
    throw new Error('--plant needs the name of a proof; --plants runs all.');
  const show = given.json ? () => undefined : (text) => console.log(text);
  if (given.list) return list(chosen, given.json);

  await prepare();
  const started = Date.now();
  const results =
    given.plant || given.plants ? await plantAll(chosen, show) : await proveAll(chosen, scaleOf(given), show);
  const failed = results.filter(({ ok }) => !ok).length;
  const minutes = Math.round((Date.now() - started) / 60_000);
  if (given.json) console.log(JSON.stringify({ results, minutes }, null, 2));
  show(
    `${results.length - failed} of ${results.length} ${given.plant || given.plants ? 'planted faults are found' : 'promises hold'} (${minutes} min)`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}

function list(chosen, json) {
  if (json) return console.log(JSON.stringify({ proofs: chosen }, null, 2));
  for (const { name, promise, plants } of chosen)
    console.log(`${name.padEnd(12)} ${promise}\n${' '.repeat(13)}planted: ${plants.join(', ')}`);
}

function scaleOf({ fast, long }) {
  if (fast && long) throw new Error('--fast and --long exclude each other.');
  if (fast) return 'fast';
  return long ? 'long' : 'full';
}

async function prepare() {
  await providePrograms();
  await provideBetterSqlite3();
  for (const reason of (await provideEarlier())?.leftOut ?? []) console.error(reason);
  await runCommand('npm', ['run', '--silent', 'build']);
}

async function proveAll(chosen, scale, show) {
  const results = [];
  const kept = new ScratchDirectory('kept', { onDisk: true });
  try {
    for (const proof of chosen) results.push(await prove(proof, { scale, kept: kept.path }, show));
    return results;
  } finally {
    await kept.remove();
  }
}

async function prove(proof, options, show) {
  const result = { name: proof.name, promise: proof.promise, ...(await runProof(proof, options)) };
  const { ok, passed, seconds, figures, output } = result;
  show(`${ok ? 'ok    ' : 'FAILED'} ${proof.name}: ${proof.promise} (${passed} tests, ${seconds} s)`);
  for (const { name, value } of figures) show(`         ${name}: ${value.toLocaleString('en')}`);
  if (!ok) show(shortened(output));
  return result;
}

/** Plants each fault of the proofs in a copy of the tree. A test of the proof must then fail, and pass without it. */
async function plantAll(chosen, show) {
  const copy = copyTree();
  const sound = new Map();
  const isSound = async (file) => {
    if (!sound.has(file)) sound.set(file, (await runFile(file, copy)).ok);
    return sound.get(file);
  };
  const results = [];
  for (const proof of chosen) {
    for (const fault of proof.plants) {
      const mutant = mutants.find(({ name }) => name === fault);
      const { file, failed, crashed, seconds, output } = await whilePlanted(copy, mutant, () =>
        untilFailed(proof, locate(mutant).testFile, copy),
      );
      const isFound = failed > 0 && !crashed;
      const ok = isFound && (await isSound(file));
      results.push({ name: proof.name, fault, ok, file });
      const missed = isFound ? 'proves nothing: the test fails without it, too' : 'is not found';
      const verdict = ok ? 'is found' : missed;
      show(
        `${ok ? 'ok    ' : 'FAILED'} ${proof.name}: the fault "${fault}" ${verdict} (${file}, ${seconds} s)`,
      );
      if (!isFound) show(shortened(output));
    }
  }
  return results;
}

/** Plants a fault for the time of a task. Otherwise a task that throws would leave it to the next faults. */
async function whilePlanted(copy, mutant, task) {
  const remove = plant(copy, mutant);
  try {
    return await task();
  } finally {
    remove();
  }
}

/**
 * Runs the files of a proof in a copy of the tree, one by one, until a test of one fails. Those of this folder are the
 * first: the proof itself should find the fault. The file that has the fault's own test is the next.
 */
async function untilFailed({ files }, testFile, copy) {
  const proving = files.filter((file) => file.startsWith('test/prove/'));
  const own = files.filter((file) => testFile.startsWith(file)).map(() => testFile);
  let last;
  for (const file of new Set([...proving, ...own, ...files])) {
    last = { file, ...(await runFile(file, copy)) };
    // A file that cannot even be loaded shows nothing.
    if (last.failed > 0 && !last.crashed) break;
  }
  return last;
}

function runFile(file, cwd) {
  return runProof({ name: 'planted', files: [file] }, { scale: 'fast', cwd, planted: true });
}

// An orderly exit ends the servers and deletes the copies.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

main().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
