const { statSync } = require('node:fs');

/** Those that take longest. If one of them began last, the others would be done long before it. */
const LONG =
  /\/(docs\/pages|demo\/start|section\/browser(Looks|Life)|http\/streams\/(memory|snapshot)|migrations\/killed|commands\/check)\.test\.ts$/;

/** Runs the longest test files first, and then the largest. */
module.exports = class Sequencer {
  sort(tests) {
    const weight = ({ path }) => (LONG.test(path) ? Number.MAX_SAFE_INTEGER : statSync(path).size);
    return tests.toSorted((one, other) => weight(other) - weight(one));
  }

  cacheResults() {}
};
