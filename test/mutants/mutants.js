/**
 * Faults that a change could introduce, with the test that must then fail. Each file of `faults` holds those of one
 * part of the module, one per row:
 *
 * - `name` and `breaks`: the fault, and the promise that it breaks;
 * - `text`: a piece of the source that occurs exactly once in all source files; `replacement`: the faulty source;
 * - `test`: the title of the test, or a part of it, which occurs in exactly one test file; `on`: the engine, if the
 *   test runs on several.
 *
 * `npm run test:mutants` plants each fault in a copy of the tree and runs its test; `npm run test:mutants -- cache
 * expiry` does so for these rows only. If a row's `text` is not found because the source was reworded, find the code
 * that keeps the promise in `breaks` and copy the shortest piece of it that occurs once. If its test was renamed, copy
 * the new title. Then run the row. Delete a row only if its promise is withdrawn. A test that a fault lets wait for ever
 * needs a time limit of its own.
 */
exports.mutants = [
  ...require('./faults/tokens').faults,
  ...require('./faults/history').faults,
  ...require('./faults/requests').faults,
  ...require('./faults/limiter').faults,
  ...require('./faults/lists').faults,
  ...require('./faults/owners').faults,
  ...require('./faults/database').faults,
  ...require('./faults/simulation').faults,
  ...require('./faults/http').faults,
  ...require('./faults/fetch').faults,
  ...require('./faults/section').faults,
  ...require('./faults/metrics').faults,
  ...require('./faults/assistants').faults,
  ...require('./faults/copies').faults,
  ...require('./faults/guards').faults,
];
