/** Faults of the tokens that follow their accounts. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'cached owner',
    breaks: 'The account of a token is looked up for each request.',
    text: "return readAccounts(source, 'id', ids, run, end);",
    replacement: `const own = source as unknown as { kept?: Map<string, Promise<readonly ShownAccount[]>> };
    own.kept ??= new Map();
    const answer = own.kept.get([...ids].join()) ?? readAccounts(source, 'id', ids, run, end);
    own.kept.set([...ids].join(), answer);
    return answer;`,
    test: 'is refused with the next request after the account is deleted',
    on: 'sqlite',
  },
  {
    name: 'owner before the rows',
    breaks:
      'The account is looked up after the statement that reads the rows, which may be those of another one by then.',
    text: `const [result] = await Promise.allSettled([read(new RowsReader(parts, accounts, run))]);
      if (result.status === 'rejected' && !isOfRows(result.reason, end)) throw result.reason;
      const present = await rowsOfToken.tokenAccounts.find(run, end, list);`,
    replacement: `const present = await rowsOfToken.tokenAccounts.find(run, end, list);
      const [result] = await Promise.allSettled([read(new RowsReader(parts, accounts, run))]);
      if (result.status === 'rejected' && !isOfRows(result.reason, end)) throw result.reason;`,
    test: 'is refused although it was its account when the rows were asked for',
  },
  {
    name: 'owner of a stream before its rows',
    breaks: 'Without a snapshot, the account is looked up after each part of a list was read.',
    text: 'if (!rowsOfToken || (isJudged && snapshot.isSnapshot)) return;',
    replacement: 'if (!rowsOfToken || looked) return;',
    test: 'has its answer broken off before the first row of the other account',
  },
  {
    name: 'snapshot beside a function',
    breaks: 'A list with rows of a function is not judged by the accounts of a snapshot.',
    text: 'source.statements > 0 && !query.page && (!rowsOfToken || isInDatabase(source))',
    replacement: 'source.statements > 0 && !query.page',
    test: 'gets no row of a function that was read after its id was given to another account',
  },
  {
    name: 'owner of none',
    breaks: 'An account without an owner is not owned by the account with the id null.',
    text: 'value !== null && value !== undefined && wanted',
    replacement: 'wanted',
    test: 'reads no account without an owner that SQL does not leave out, even if its id is the text null',
    on: 'sqlite',
  },
  {
    name: 'fault in a foreign row',
    breaks: 'A fault in the rows of another account is not told.',
    text: 'return !(error instanceof DatabaseFailure || error instanceof AccountsChanged) && end.reason === undefined;',
    replacement: 'return false;',
    test: 'is not told of a fault in the rows of the other account',
  },
  {
    name: 'id alone',
    breaks: 'Another account with the same id is not the account of the token.',
    text: "if (!found.every((account) => isSame(bound, account))) return 'account_changed';",
    replacement: '',
    test: 'is refused if the id is given to another account, until it is bound anew',
    on: 'sqlite',
  },
  {
    name: 'suspended owner',
    breaks: 'The token of a suspended account is refused.',
    text: "if (!this.#allowsSuspended && found.some(({ isSuspended }) => isSuspended)) return 'account_suspended';",
    replacement: '',
    test: 'is refused while the account is suspended, unless the settings allow it',
    on: 'sqlite',
  },
  {
    name: 'read shared by accounts',
    breaks: 'Requests of tokens that were bound to different accounts with one id share no read.',
    text: 'this.key = `${suspendedAccounts} ${this.binding}`;',
    replacement: 'this.key = JSON.stringify(bound.accounts.map(({ id }) => id));',
    test: 'never share what belongs to an account and to another one that has its id now',
    on: 'sqlite',
  },
  {
    name: 'accounts of before',
    breaks: 'Rows of an account that is no longer one of those of the token are not served.',
    text: 'if (present.identity === accounts.identity) {',
    replacement: 'if (true) {',
    test: 'read what is theirs at each moment, and nothing tells them of other rows',
    on: 'sqlite',
  },
  {
    name: 'owned by collation',
    breaks: 'SQL finds the customers of a reseller by whole numbers alone, which have no collation.',
    text: "field.kind === 'id' && reader.shown === undefined && isIntegerColumn(column)",
    replacement: "field.kind === 'id' && reader.shown === undefined",
    test: 'has no row of the other one and of its customers',
    on: 'sqlite',
  },
  {
    name: 'owned by what a description changes',
    breaks: 'SQL does not find the customers of a reseller by a column whose values the description changes.',
    text: 'isWhole && source.null === undefined && withIds(read) === read',
    replacement: 'isWhole',
    test: 'does not bypass what a description changes',
    on: 'sqlite',
  },
  {
    name: 'owned by a column of the rows',
    breaks: 'A column that the table of accounts has no longer is not one of the table of the rows.',
    text: 'const isOne = `panel_api_owned.?? = ${right}`;',
    replacement: 'const isOne = `?? = ${right}`;',
    test: 'takes no column of the rows for one that the accounts have no longer',
    on: 'sqlite',
  },
  {
    name: 'customers of before their rows',
    breaks: 'The customers whose rows a statement reads are those of that moment.',
    text: 'return (await this.#ownedIn(accounts, run, rows)) ?? this.find(run, end, rows);',
    replacement: 'return { ...(await this.find(run, end, null)), identity: theAccounts(accounts).identity };',
    test: 'the customers are those of the moment at which they are read',
    on: 'sqlite',
  },
];
