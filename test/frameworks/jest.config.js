/** The frameworks in which panels mount the module. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  roots: ['<rootDir>/test/frameworks'],
  maxWorkers: 1,
  testTimeout: 60_000,
};
