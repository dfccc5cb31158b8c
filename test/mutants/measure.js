const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');
const { startMariadb } = require('../servers/startMariadb');
const { startPostgresql } = require('../servers/startPostgresql');
const { startRedis } = require('../servers/startRedis');
const { copyTree } = require('./copyTree');
const { judged } = require('./judged');
const { parts } = require('./parts');

// Measures the mutation score of the parts that are named on the command line, or of all. It takes hours. Prints the
// mutants that no test finds, except those that judged.js explains.

const AIM = 90;
const REPORT = 'mutation.json';

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
    const scores = chosen.map((part) => measure(part, { MYSQL_URL, POSTGRES_URL, REDIS_URL }));
    process.exitCode = scores.every((score) => score >= AIM) ? 0 : 1;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Measures a part in a copy of the tree. Returns its score in percent. */
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
  const env = { ...process.env, ...urls, TEST_ENGINES: engines.join(), MUTANTS_TESTS: tests.join('|') };
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
    found.map((mutant) => ({ ...mutant, file, original: textAt(source, mutant.location) })),
  );
  const rows = judged.filter(({ file }) => file in files);
  const judges = (row, { file, original, replacement }) =>
    row.file === file && row.original === original && row.replacement === replacement;
  const isFound = ({ status }) => ['Killed', 'Timeout'].includes(status);
  const isJudged = (mutant) => rows.some((row) => judges(row, mutant));
  const isStale = (row) => !mutants.some((mutant) => judges(row, mutant) && !isFound(mutant));

  const measured = mutants.filter(({ status }) => status !== 'Ignored');
  const counted = measured.filter((mutant) => isFound(mutant) || !isJudged(mutant));
  const missed = counted.filter((mutant) => !isFound(mutant));
  for (const { file, location, original, replacement, status } of missed)
    console.log(`${file}:${location.start.line} (${status})\n  - ${original}\n  + ${replacement}`);
  for (const { file, original } of rows.filter(isStale))
    console.log(`${file}: no mutant of "${original}" survives. Remove its row from judged.js.`);
  const score = 100 * (1 - missed.length / counted.length);
  console.log(
    `${name}: ${score.toFixed(1)} % of ${counted.length} mutants are found, ` +
      `${measured.filter(({ status }) => status === 'Timeout').length} of them because no test ended in time. ` +
      `${measured.length - counted.length} more are judged, and ` +
      `${mutants.length - measured.length} in code that runs when a file is loaded were not tried.`,
  );
  return score;
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
