const JestEnvironment = require('../JestEnvironment');

/** Skips the other tests of a file after the first that fails: the mutant is found. */
module.exports = class MutantEnvironment extends JestEnvironment {
  #isFound = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.#isFound = true;
    if (name === 'test_start' && this.#isFound) test.mode = 'skip';
  }
};
