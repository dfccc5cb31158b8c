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
  {
    file: 'lib/lists/cursor.ts',
    original: '/^[\\w-]{1,8192}$/',
    replacement: '/[\\w-]{1,8192}$/',
    reason: 'A cursor must also be the same text if it is encoded again.',
  },
  {
    file: 'lib/lists/cursor.ts',
    original: '/^[\\w-]{1,8192}$/',
    replacement: '/^[\\w-]{1,8192}/',
    reason: 'A cursor must also be the same text if it is encoded again.',
  },
  {
    file: 'lib/lists/cursor.ts',
    original: '!/^[\\w-]{1,8192}$/.test(cursor)',
    replacement: 'false',
    reason: 'A cursor must also be the same text if it is encoded again.',
  },
  {
    file: 'lib/lists/cursor.ts',
    original: '{\n    return null;\n  }',
    replacement: '{}',
    reason: 'The caller takes both for no key.',
  },
  {
    file: 'lib/lists/figures.ts',
    original: 'report.itemSchema.properties[name]?.enum',
    replacement: 'report.itemSchema.properties[name].enum',
    reason: 'Every filter is that of a field of the items.',
  },
  {
    file: 'lib/lists/figures.ts',
    original: 'fields[name]?.kind',
    replacement: 'fields[name].kind',
    reason: 'Every field of the items is declared.',
  },
  {
    file: 'lib/lists/figures.ts',
    original: 'countBy === null',
    replacement: 'false',
    reason: 'An item has no field whose name is null.',
  },
  {
    file: 'lib/lists/figures.ts',
    original: 'value === undefined',
    replacement: 'false',
    reason: 'Every item has the field that is counted.',
  },
  {
    file: 'lib/lists/figures.ts',
    original: 'one < other',
    replacement: 'one <= other',
    reason: 'No two counts are of the same value.',
  },
  {
    file: 'lib/lists/search.ts',
    original: '/[A-Z]+/g',
    replacement: '/[A-Z]/g',
    reason: 'Each letter is replaced by its own small one.',
  },
];
