const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');
const { startMariadb } = require('../servers/startMariadb');
const { startPostgresql } = require('../servers/startPostgresql');
const { startRedis } = require('../servers/startRedis');
const { copyTree } = require('./copyTree');
const { equivalent } = require('./equivalent');
const { NO_END } = require('./jest-circus-until-found');
const { parts } = require('./parts');

// Measures the mutation score of the parts that are named on the command line, or of all. It takes hours. Prints the
// mutants that survive, except those that equivalent.js explains.

const AIM = 90;
const REPORT = 'mutation.json';
/** What a row of equivalent.js and its mutant have in common. */
const IDENTITY = ['file', 'line', 'original', 'replacement'];

async function main(names) {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}.`);
  await providePrograms();
  await provideBetterSqlite3();
  // The tests would start them again for each mutant.
  const servers = await Promise.all([startMariadb(), startPostgresql(), startRedis()]);
  const [MYSQL_URL, POSTGRES_URL, REDIS_URL] = servers.map(({ url }) => url);
  try {
    const chosen = parts.filter(({ name }) => names.length === 0 || names.includes(name));
    const results = chosen.map((part) => measure(part, { MYSQL_URL, POSTGRES_URL, REDIS_URL }));
    process.exitCode = results.every(({ score, stale }) => score >= AIM && stale === 0) ? 0 : 1;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/**
 * Measures a part in a copy of the tree. Returns its score in percent, and how many rows of equivalent.js no mutant needs
 * any more.
 */
function measure({ name, sources, tests, engines = ['sqlite'] }, urls) {
  const copy = copyTree();
  writeFileSync(
    join(copy, 'stryker.conf.json'),
    JSON.stringify({
      inPlace: true,
      testRunner: 'jest',
      plugins: ['@stryker-mutator/jest-runner'],
      jest: { configFile: 'test/mutants/jest.config.js', enableFindRelatedTests: false },
      mutate: sources,
      coverageAnalysis: 'perTest',
      // What runs when a file is loaded would need all tests for each mutant.
      ignoreStatic: true,
      disableTypeChecks: '{lib,middleware}/**/*.ts',
      concurrency: 2,
      timeoutMS: 20_000,
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: REPORT },
    }),
  );
  const env = {
    ...process.env,
    ...urls,
    // A test that is tried again would hide the mutant.
    PROVE_PLANTED: 'yes',
    TEST_ENGINES: engines.join(),
    MUTANTS_TESTS: tests.join('|'),
  };
  const stryker = join(copy, 'node_modules/.bin/stryker');
  spawnSync(stryker, ['run', 'stryker.conf.json'], {
    cwd: copy,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const report = join(copy, REPORT);
  if (!existsSync(report)) throw new Error(`${name} could not be measured.`);
  return summarize(name, JSON.parse(readFileSync(report, 'utf8')));
}

function summarize(name, { files }) {
  const mutants = Object.entries(files).flatMap(([file, { source, mutants: found }]) =>
    found.map((mutant) => ({
      ...mutant,
      file,
      line: source.split('\n')[mutant.location.start.line - 1].trim(),
      original: textAt(source, mutant.location),
    })),
  );
  const rows = equivalent.filter(({ file }) => file in files);
  const isOf = (mutant, row) => IDENTITY.every((key) => mutant[key] === row[key]);
  const isKilled = ({ status }) => ['Killed', 'Timeout'].includes(status);
  const isEquivalent = (mutant) => !isKilled(mutant) && rows.some((row) => isOf(mutant, row));

  const tried = mutants.filter(({ status }) => status !== 'Ignored');
  const counted = tried.filter((mutant) => !isEquivalent(mutant));
  const survivors = counted.filter((mutant) => !isKilled(mutant));
  for (const { file, location, original, replacement, status } of survivors)
    console.log(`${file}:${location.start.line} (${status})\n  - ${original}\n  + ${replacement}`);
  const stale = rows.filter((row) => !tried.some((mutant) => isOf(mutant, row) && !isKilled(mutant)));
  for (const { file, line } of stale)
    console.log(`${file}: no mutant of "${line}" survives. Remove its row from equivalent.js.`);
  const score = 100 * (1 - survivors.length / counted.length);
  const count = (is) => tried.filter(is).length;
  console.log(
    `${name}: ${score.toFixed(1)} % of ${counted.length} mutants are killed: ` +
      `${count(({ status }) => status === 'Timeout')} of them by a time limit, ` +
      `${count(({ statusReason }) => statusReason?.includes(NO_END))} by a test file that could not be run to its end. ` +
      `${count(isEquivalent)} more are equivalent, and ` +
      `${mutants.length - tried.length} in code that runs when a file is loaded were not tried.`,
  );
  return { score, stale: stale.length };
}

/** The text between two places, whose lines and columns begin at 1. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

// An orderly exit ends the servers and deletes the copies.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

main(process.argv.slice(2)).catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
