/** The tests of one part: `npm run mutants` names them. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  // Stryker resolves these paths itself.
  testEnvironment: require.resolve('./JestEnvironment'),
  testRunner: require.resolve('./jest-circus-until-found'),
  testSequencer: require.resolve('./Sequencer'),
  testMatch: undefined,
  testRegex: [`/test/(${process.env.MUTANTS_TESTS})[^/]*(/.*)?\\.test\\.ts$`],
  maxWorkers: 1,
};
