const { availableParallelism } = require('node:os');

module.exports = {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: 'node',
  // Most of the time is spent waiting for databases, so that each processor has more than one to do.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
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
