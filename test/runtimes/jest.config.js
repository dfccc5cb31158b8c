/** The runtimes beside Node, and what serves on them. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  roots: ['<rootDir>/test/runtimes'],
  maxWorkers: 1,
  testTimeout: 60_000,
};
