const { recordOf } = require('./records');

/** Runs the test files that took the least time first: most mutants are found by any of several. */
module.exports = class Sequencer {
  sort(tests) {
    const timed = tests.map((test) => [
      recordOf(test.context.config.rootDir, test.path)?.milliseconds ?? 0,
      test,
    ]);
    return timed.toSorted(([one], [other]) => one - other).map(([, test]) => test);
  }

  cacheResults() {}
};
