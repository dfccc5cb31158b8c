/**
 * Mutants that no test can find, because the module does the same with them: `original` and `replacement` as
 * `npm run mutants` prints them, and the reason.
 */
exports.judged = [];
