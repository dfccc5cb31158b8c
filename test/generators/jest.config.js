/** The clients that generators write. They start many compilers, so they run one by one. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  roots: ['<rootDir>/test/generators'],
  maxWorkers: 1,
  testTimeout: 300_000,
};
