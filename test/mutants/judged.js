/**
 * Mutants that no test can find, because the module does the same with them: `original` and `replacement` as
 * `npm run mutants` prints them, and the reason.
 */
exports.judged = [
  {
    file: 'lib/lists/findList.ts',
    original: 'source?.report',
    replacement: 'source.report',
    reason: 'Every list has a source.',
  },
  {
    file: 'lib/lists/findList.ts',
    original: 'report?.state',
    replacement: 'report.state',
    reason: 'Every list has a source, and so a report.',
  },
  {
    file: 'lib/lists/findList.ts',
    original: 'owner === undefined',
    replacement: 'false',
    reason: 'No list has a filter without a name.',
  },
  {
    file: 'lib/requests/authenticateRequest.ts',
    original: 'bearer !== null',
    replacement: 'true',
    reason: 'No token is missing and has the form of one.',
  },
  {
    file: 'lib/errors/printable.ts',
    original: 'character.codePointAt(0)?.toString',
    replacement: 'character.codePointAt(0).toString',
    reason: 'A character that was found has a code point.',
  },
  {
    file: 'lib/json/Body.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'The text is not read again, and the validator not before it is set.',
  },
  {
    file: 'lib/json/Body.ts',
    original: '!this.#bytes',
    replacement: 'true',
    reason: 'The bytes and the validator of the same data are the same.',
  },
  {
    file: 'middleware/answerInEnvelope.ts',
    original: 'ifNoneMatch.trim()',
    replacement: 'ifNoneMatch',
    reason: 'Node removes the spaces around the value of a header.',
  },
  {
    file: 'lib/limiter/DatabaseLimiter.ts',
    original: '!place',
    replacement: 'false',
    reason: 'Each window of a batch was counted.',
  },
  {
    file: 'lib/limiter/DatabaseLimiter.ts',
    original: "'A window was not counted.'",
    replacement: '""',
    reason: 'Each window of a batch was counted, so it is not thrown.',
  },
  {
    file: 'lib/limiter/LossWatch.ts',
    original: 'oldest !== undefined',
    replacement: 'true',
    reason: 'There is an oldest window whenever one is to be forgotten.',
  },
  {
    file: 'lib/requests/RequestLimits.ts',
    original: 'oldest !== undefined',
    replacement: 'true',
    reason: 'There is an oldest token whenever there are too many.',
  },
];
