/** The tests of one part, on SQLite: `npm run mutants` names them. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  // Stryker resolves this path itself.
  testEnvironment: require.resolve('../JestEnvironment'),
  testMatch: undefined,
  testRegex: [`/test/(${process.env.MUTANTS_TESTS})[^/]*(/.*)?\\.test\\.ts$`],
  maxWorkers: 1,
};
