/**
 * Mutants that no test can find, because the module does the same with them: `original` and `replacement` as
 * `npm run mutants` prints them, and the reason.
 */
exports.judged = [
  {
    file: 'lib/lists/findList.ts',
    original: "!source || report?.state !== 'served'",
    replacement: "!source && report?.state !== 'served'",
    reason: 'A list without a source has no report.',
  },
  {
    file: 'lib/lists/findList.ts',
    original: 'owner === undefined',
    replacement: 'false',
    reason: 'No list has a filter without a name.',
  },
];
