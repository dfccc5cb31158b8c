/**
 * The tests of one proof, at the scale that `PROVE_SCALE` names. One file at a time, because some keep all processors
 * busy, and others then miss a time limit.
 */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  ...(process.env.PROVE_PLANTED && { testEnvironment: '<rootDir>/test/prove/PlantedEnvironment.js' }),
  testSequencer: '<rootDir>/test/prove/Sequencer.js',
  testTimeout: (process.env.PROVE_SCALE === 'long' ? 200 : 20) * 60_000,
};
