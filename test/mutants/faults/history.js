/** Faults of the day after a restore. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'comparison that a restart forgets',
    breaks: 'A process that starts compares the database with the journal.',
    text: 'isFirst && installation !== null ? await journal.newest(installation) : null',
    replacement: 'null',
    test: 'is noticed at the start by the journal, and not without one',
    on: 'sqlite',
  },
  {
    name: 'narrowing that is not done again',
    breaks: 'A token that was narrowed after the dump is narrowed again.',
    text: 'await (its ? this.#narrow(token.id, rights, author)',
    replacement: 'await (its ? null',
    test: 'what was ended is ended again, and what lived lives on',
    on: 'sqlite',
  },
  {
    name: 'id given twice',
    breaks: 'After a restore no id of a token is given to another one.',
    text: 'largest >= id) return',
    replacement: 'largest >= id || id > 0) return',
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
    text: '[known, isNew ? written : null]',
    replacement: '[isNew ? written : known]',
    test: 'that gives the lost ids out again before it looks, notices the restore',
    on: 'sqlite',
  },
];
