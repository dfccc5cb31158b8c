/** The files of docs/monitoring, in the programs that load them. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  roots: ['<rootDir>/test/monitoring'],
  maxWorkers: 1,
};
