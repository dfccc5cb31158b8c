const JestEnvironment = require('../JestEnvironment');

/**
 * Skips the other tests of a file after the first that fails: the mutant is found. Stryker's code in a file asks for the
 * mutant once, but the files of the module stay loaded from mutant to mutant.
 */
module.exports = class MutantEnvironment extends JestEnvironment {
  #isFound = false;

  async setup() {
    await super.setup();
    globalThis.__stryker__.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.#isFound = true;
    if (name === 'test_start' && this.#isFound) test.mode = 'skip';
  }
};
