const { globalSetup, globalTeardown, ...config } = require('./jest.config');

/** The tests that need no server: no database, no Redis, no browser. */
module.exports = { ...config, filter: '<rootDir>/test/servers/leaveOut.js' };
