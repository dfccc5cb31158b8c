/** The tests of one proof, at the scale that `PROVE_SCALE` names. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  testTimeout: 20 * 60_000,
};
