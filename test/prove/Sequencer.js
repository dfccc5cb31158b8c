/** Runs the search of what the other files of all proofs received after them. */
module.exports = class Sequencer {
  sort(tests) {
    const [others, last] = [false, true].map((isLast) =>
      tests.filter(({ path }) => path.endsWith('/secrets/kept.test.ts') === isLast),
    );
    return [...others, ...last];
  }

  cacheResults() {}
};
