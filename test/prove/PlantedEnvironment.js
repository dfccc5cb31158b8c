const JestEnvironment = require('../JestEnvironment');

/** Skips all tests after the first that fails, in its file and the next ones: the planted fault is found. */
module.exports = class PlantedEnvironment extends JestEnvironment {
  // One process runs all files of a proof.
  static #isFound = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) PlantedEnvironment.#isFound = true;
    if (name === 'test_start' && PlantedEnvironment.#isFound) test.mode = 'skip';
  }
};
