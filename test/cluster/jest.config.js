/** The tests on clusters and replicas. They start many servers and freeze some, so they run one by one. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  roots: ['<rootDir>/test/cluster'],
  maxWorkers: 1,
  testTimeout: 180_000,
};
