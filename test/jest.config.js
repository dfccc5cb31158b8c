const { existsSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { delimiter, join } = require('node:path');
const { folder } = require('./steps/provideEarlier');

// The machine of the tests may have no systemd. Every worker inherits the environment.
process.env.PATH = [join(__dirname, 'servers/systemd'), process.env.PATH].join(delimiter);

module.exports = {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Suites of their own: clusters, and proofs of which test/lib has a smaller form, `npm test` a step, or whose times
  // would be those of the other tests.
  testPathIgnorePatterns: [
    '<rootDir>/test/(cluster|frameworks|generators|monitoring|protocol|runtimes)/',
    '<rootDir>/test/prove/(hosts|injection)/',
    '<rootDir>/test/prove/(expiry|interrupted|neighbours|faults/(crashes|fullDisk|fullLog|outages)|revocation/(revocation|rotation)|secrets/kept).test.ts',
    ...(existsSync(folder) ? [] : ['<rootDir>/test/prove/versions/']),
  ],
  testEnvironment: '<rootDir>/test/JestEnvironment.js',
  runtime: '<rootDir>/test/SharedRuntime.js',
  setupFilesAfterEnv: ['<rootDir>/test/fixture/beginAwayFromHourEnd.ts'],
  testSequencer: '<rootDir>/test/Sequencer.js',
  // More workers than processors, because many tests wait for a deadline, a client or a process. The databases serve 8 at
  // once.
  maxWorkers: Math.min(8, availableParallelism() * 3),
  // Something that hangs fails. A busy machine needs a minute for some tests.
  testTimeout: 180_000,
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
