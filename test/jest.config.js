const { availableParallelism } = require('node:os');

module.exports = {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: 'node',
  // Some wait for a deadline or a stalled client, and leave the processor to others. The databases serve so many at once.
  maxWorkers: Math.min(8, Math.ceil(availableParallelism() * 1.5)),
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/servers/startServers.js',
  globalTeardown: '<rootDir>/test/servers/stopServers.js',
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
      },
    ],
  },
};
