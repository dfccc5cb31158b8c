/** The test files that need no server, no browser and no build. */
module.exports = {
  ...require('./jest.config'),
  globalSetup: null,
  globalTeardown: null,
  filter: '<rootDir>/test/servers/leaveOut.js',
};
