/** Faults of the day after a restore. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'comparison that a restart forgets',
    breaks: 'A process that starts compares the database with the journal.',
    text: 'installation === null ? null : await newestEntry(options.journal, installation)',
    replacement: 'null',
    test: 'is noticed at the start by the journal, and not without one',
    on: 'sqlite',
  },
  {
    name: 'narrowing that is not done again',
    breaks: 'A token that was narrowed after the dump is narrowed again.',
    text: 'await (changes ? this.#narrow(token.id, rights, author)',
    replacement: 'await (changes ? null',
    test: 'what was ended is ended again, and what lived lives on',
    on: 'sqlite',
  },
  {
    name: 'id given twice',
    breaks: 'After a restore no id of a token is given to another one.',
    text: 'else if (largest < id)',
    replacement: 'else if (largest > id)',
    test: 'what was ended is ended again, and what lived lives on',
    on: 'sqlite',
  },
  {
    name: 'restore that another id hides',
    breaks:
      'An entry of the audit trail is recognized by its time too, so that another one under its id is told from it.',
    text: 'entries.orWhere({ id, at })',
    replacement: 'entries.orWhere({ id })',
    test: 'is noticed although the ids were given out again',
    on: 'sqlite',
  },
  {
    name: 'restore that an own entry hides',
    breaks: 'An entry that a process writes after a restore does not hide that the one before is lost.',
    text: 'this.#known = [...this.#known.slice(0, 1), written]',
    replacement: 'this.#known = [written]',
    test: 'that gives the lost ids out again before it looks, notices the restore',
    on: 'sqlite',
  },
  {
    name: 'restore that an earlier one hides',
    breaks: 'A restore that was dealt with before the dump does not hide the next one.',
    text: 'restored.some(({ id }) => Number(id) > Number(lost?.entry))',
    replacement: 'restored.length > 0',
    test: 'is noticed although the dump has the entry of an earlier one that was dealt with',
    on: 'sqlite',
  },
];
