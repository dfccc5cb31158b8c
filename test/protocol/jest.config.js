/** The programs of the protocol's makers, against the MCP server. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  roots: ['<rootDir>/test/protocol'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
