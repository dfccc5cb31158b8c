const { availableParallelism } = require('node:os');

module.exports = {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['<rootDir>/test/cluster/'],
  testEnvironment: '<rootDir>/test/JestEnvironment.js',
  // More workers than processors, because some tests wait for a deadline or a client. The databases serve 8 at once.
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
