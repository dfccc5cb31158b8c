/** Faults of the database and the audit trail. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'audit apart',
    breaks: 'A change and its audit entry are one transaction: both or neither.',
    text: `await session.run((knex) =>
      knex(tables.auditLog).insert({`,
    replacement: `await this.#parts.database.query('audit.append', (knex) =>
      knex(tables.auditLog).insert({`,
    test: 'leaves neither a token nor an audit entry',
  },
  {
    name: 'setting apart',
    breaks: 'The change of a setting and its audit entry are one transaction, too.',
    text: `return this.#parts.database.transaction('settings.change', (session) =>
      writeChanges(this.#parts, session, changes, author),
    );`,
    replacement: `const entries: Parameters<AuditLog['append']>[] = [];
    const audit = { append: async (...entry: (typeof entries)[0]) => void entries.push(entry) } as unknown as AuditLog;
    const stored = await this.#parts.database.transaction('settings.change', (session) =>
      writeChanges({ ...this.#parts, audit }, session, changes, author),
    );
    for (const [, ...entry] of entries)
      await this.#parts.database.transaction('audit.append', (session) => this.#parts.audit.append(session, ...entry));
    return stored;`,
    test: 'leaves the change and its audit entry, or neither',
    on: 'mariadb',
  },
  {
    name: 'cause of a failure',
    breaks: 'An error that the panel gets holds no value of a statement, such as a hash.',
    text: 'return new DatabaseFailure(query, known, number, namesNothing);',
    replacement:
      'return Object.assign(new DatabaseFailure(query, known, number, namesNothing), { cause: error });',
    test: 'and reveals nothing secret',
    on: 'mariadb',
  },
  {
    name: 'statement without a limit',
    breaks: 'MariaDB ends a statement when its time is over, whatever it does.',
    text: 'dialect.limit ?? ((sql: string) => sql)',
    replacement: '(sql: string) => sql',
    test: 'no statement outlives its request',
    on: 'mariadb',
  },
  {
    name: 'slot of a late statement',
    breaks: 'A statement that a busy server ends late keeps its connection and its slot until then.',
    text: 'const LATE_SHARE = 0.5;',
    replacement: 'const LATE_SHARE = 0;',
    test: 'keeps its connection and its slot until it has ended',
    on: 'mariadb',
  },
  {
    name: 'statement that is not cancelled',
    breaks: 'PostgreSQL ends a statement when its time is over.',
    text: 'const isTaken = await sendCancelRequest(client);',
    replacement: 'const isTaken = true;',
    test: 'no statement outlives its request',
    on: 'postgresql',
  },
  {
    name: 'number that is no time',
    breaks: 'A forged cursor is refused if PostgreSQL would fail for its number.',
    text: '/^-?\\d{1,13}(?:\\.\\d{1,6})?$/.test(text) && Number(text) > EARLIEST && Number(text) < LATEST',
    replacement: 'true',
    test: 'a number of 400 digits',
    on: 'postgresql',
  },
  {
    name: 'share of a token',
    breaks: 'The long lists of one token leave room for those of another.',
    text: 'new Bulkhead(long, atLeastOne(long / 2), clock)',
    replacement: 'new Bulkhead(long, long, clock)',
    test: 'do not keep the long lists and the pages of another token from starting',
    on: 'mariadb',
  },
  {
    name: 'read of another token',
    breaks: 'No token waits for the slot of another one, although both ask for the same list.',
    text: 'JSON.stringify([tokenId,',
    replacement: 'JSON.stringify([0 && tokenId,',
    test: 'read it in slots of their own, and none waits for the slot of another',
  },
  {
    name: 'backslash in a text',
    breaks: 'A text is the same text in every sql_mode.',
    text: `return \`_utf8mb4 X'\${Buffer.from(text).toString('hex')}'\`;`,
    replacement: `return "'" + text.replaceAll(/['\\\\]/g, '\\\\$&') + "'";`,
    test: 'on MariaDB in the sql_mode',
  },
  {
    name: 'order of assignments',
    breaks: 'A window ends, although MariaDB assigns from left to right.',
    text: `hits = IF(\${sameWindow}, hits, 0) + VALUES(hits),
          window_start = \${start}`,
    replacement: `window_start = \${start},
          hits = IF(\${sameWindow}, hits, 0) + VALUES(hits)`,
    test: 'that shrinks forgets the requests before its new beginning',
    on: 'mariadb',
  },
  {
    name: "character set of the panel's",
    breaks: "The module's tables hold every name, in a database of any character set.",
    text: "tableOptions: (table) => table.charset('utf8mb4'),",
    replacement: 'tableOptions: () => undefined,',
    test: 'in a database with',
  },
  {
    name: 'schema public',
    breaks: "On PostgreSQL the module's tables are in the first schema of the search path.",
    text: 'TO_REGCLASS(QUOTE_IDENT(?)) AND attnum',
    replacement: "TO_REGCLASS('public.' || QUOTE_IDENT(?)) AND attnum",
    test: 'on PostgreSQL with the search path',
  },
  {
    name: 'rows as arrays',
    breaks: "No option of the panel's handle changes what the module reads.",
    text: 'rowsAsArray: false, nestTables: false',
    replacement: 'nestTables: false',
    test: 'over a handle with',
  },
  {
    name: 'further right',
    breaks: 'The API needs no more rights than the page on the rights of the database user grants.',
    text: `        .orderBy('id', 'desc')
        .limit(limit);`,
    replacement: `        .orderBy('id', 'desc')
        .limit(limit)
        .forUpdate();`,
    test: 'can do all that the API does with rights table by table, and nothing else',
    on: 'postgresql',
  },
  {
    name: 'migrations without a lock',
    breaks: 'Processes that create the tables at once wait for one another.',
    text: 'SELECT pg_advisory_xact_lock(hashtext(?))',
    replacement: 'SELECT hashtext(?)',
    test: 'if each is killed after the same change',
    on: 'postgresql',
  },
  {
    name: 'half a table',
    breaks: 'A table whose indexes were not created before the process was killed gets them later.',
    text: ') && !dialect.isDuplicateObject) return;',
    replacement: ')) return;',
    test: 'leaves tables that the next process completes, whichever statement was the last',
    on: 'mariadb',
  },
  {
    name: 'hash as text',
    breaks: 'A hash is stored and compared as bytes: no collation takes two of them for equal.',
    text: "hashType: 'binary(32)'",
    replacement: "hashType: 'varchar(32) character set latin1'",
    test: 'store a hash as 32 bytes, and refuse a second one with the same bytes',
    on: 'mariadb',
  },
  {
    name: 'window of the process',
    breaks: "The window of the limit is that of the database's clock.",
    text: 'countHits: mysqlHits(now, rows)',
    replacement:
      'countHits: mysqlHits({ toString: () => String(Math.floor(Date.now() / 1000)) } as string, rows)',
    test: 'is served exactly',
    on: 'mariadb',
  },
  {
    name: 'slot after a refusal',
    breaks: 'A request that gets one of two slots and not the other gives the first back.',
    text: '  } catch (error) {\n    leaveFirst?.();\n    throw error;',
    replacement: '  } catch (error) {\n    throw error;',
    test: 'one is free again for others if a read gets no second one',
  },
  {
    name: 'slot after a failure',
    breaks: 'A statement that fails gives its slot back.',
    text: `    const leave = await this.enter(() => noFreeSlot(name));
    try {
      const session = await Session.acquire(this, end);
      try {
        return await task(session);
      } finally {`,
    replacement: `    const free = await this.enter(() => noFreeSlot(name));
    const leave = () => undefined;
    try {
      const session = await Session.acquire(this, end);
      try {
        const result = await task(session);
        free();
        return result;
      } finally {`,
    test: 'keeps counts that it cannot write, warns once, and writes them when it can',
    on: 'sqlite',
  },
  {
    name: 'wait for the pool',
    breaks: "The deadline of a statement covers its wait for a connection of the panel's pool.",
    text: 'return withTimeout(outcome, Math.max(1, end - clock.now()), deadline, clock);',
    replacement: 'return outcome;',
    test: 'shows an administrator within the deadline that nothing can be changed',
  },
  {
    name: 'late commit',
    breaks: 'A change that was too late is not committed.',
    text: '        const result = await task(session);\n        refuseLate();',
    replacement: '        const result = await task(session);',
    test: 'is not sent for a token that is created too late',
    on: 'postgresql',
  },
  {
    name: 'circuit breaker',
    breaks: 'After an outage of the database, requests are served again as soon as it works.',
    text: 'return this.inSession(name, (session) => task(session, refuseLate, conflict), end);',
    replacement: `const circuit = ((globalThis as any).circuit ??= { openUntil: 0 });
        if (performance.now() < circuit.openUntil) throw new DatabaseFailure(name, 'CIRCUIT_OPEN');
        return this.inSession(name, (session) => task(session, refuseLate, conflict), end).catch((error) => {
          if (error instanceof DatabaseFailure && !isConflict(error) && !dialect.isStatementFailure(error))
            circuit.openUntil = performance.now() + 8000;
          throw error;
        });`,
    test: 'A panel keeps all its promises while its',
  },
  {
    name: 'transaction of a full disk',
    breaks: 'On a full disk, SQLite ends a transaction by itself, and its connection is kept.',
    text: "if (this.dialect.isRolledBack?.(DatabaseFailure.from('rollback', error))) return true;",
    replacement: '',
    test: 'nothing is half written, and then all is as before',
  },
  {
    name: 'commit that was not flushed',
    breaks: 'If SQLite cannot flush what it commits, it is unknown whether the change is made.',
    text: "isCommitUnknown: ({ code }) => code.startsWith('SQLITE_IOERR'),",
    replacement: '',
    test: 'A COMMIT for which SQLite answers',
  },
  {
    name: 'table of another',
    breaks: 'The module uses no table that it did not create.',
    text: `if (columns.length !== defined.size || columns.some((column) => !defined.has(column)))
    throw new ForeignTable(name);`,
    replacement: '',
    test: 'is neither used nor changed, and the log names it',
    on: 'sqlite',
  },
  {
    name: 'tables of a later version',
    breaks: 'The module uses no tables that may have limits of tokens that it does not know.',
    text: "if (unknown.some((name) => name.startsWith('version_'))) throw new NewerTables();",
    replacement: '',
    test: 'are used by no request of a process that starts',
    on: 'sqlite',
  },
];
