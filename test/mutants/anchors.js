const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const sourceFiles = [
  'index.ts',
  ...[
    'account-section',
    'assistants',
    'bin',
    'client',
    'lib',
    'metrics',
    'middleware',
    'routes',
    'section',
  ].flatMap(filesIn),
];
const testFiles = filesIn('test').filter((path) => path.endsWith('.test.ts'));

/**
 * Returns where a mutant is planted and where its test is, as paths from the root. Throws an Error that says what is
 * wrong.
 */
function locate({ name, text, test }) {
  const inSources = occurrences(sourceFiles, text);
  if (inSources.length !== 1) {
    throw new Error(
      `The text of the mutant "${name}" occurs ${inSources.length} times in the source and must occur once: ` +
        `see the head of test/mutants/mutants.js. ${inSources.join(', ')}`,
    );
  }
  const inTests = [...new Set(occurrences(testFiles, test))];
  if (inTests.length !== 1) {
    throw new Error(
      `The test "${test}" of the mutant "${name}" stands in ${inTests.length} files and must stand in one: ` +
        `see the head of test/mutants/mutants.js. ${inTests.join(', ')}`,
    );
  }
  return { source: inSources[0], testFile: inTests[0] };
}

/** The paths of the files that contain the text, once per occurrence. */
function occurrences(paths, text) {
  return paths.flatMap((path) => readFileSync(join(root, path), 'utf8').split(text).slice(1).fill(path));
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));
}

module.exports = { locate };
