/**
 * Faults that the guards over whole answers, whole lives and two versions must find. They were chosen before the guards
 * were written. ../mutants.js says what a row holds.
 */
exports.faults = [
  {
    name: 'search beyond the accounts',
    breaks: 'A tool for assistants that searches names finds those of the accounts of the token alone.',
    text: 'const check = (given: GivenQuery) => checkRead(this.#limited, endpoint, given, this.#parts);',
    replacement: `const token = { ...this.token, accountId: null, accounts: [] };
    const check = (given: GivenQuery) =>
      checkRead('search' in Object(given) ? { ...this.#limited, token } : this.#limited, endpoint, given, this.#parts);`,
    test: 'gets from each tool the results of the rows of its accounts alone',
  },
  {
    name: 'list beside a list beyond the accounts',
    breaks: 'A metric of two lists reads both for the accounts of the token alone.',
    text: 'return this.list(name).catch((error) => {',
    replacement: `const limited = { ...this.#limited, token: { ...this.token, accounts: [] } };
    return new PanelReader(limited, this.#parts).list(name).catch((error) => {`,
    test: 'has the samples of its rows alone, after other tokens and at once with them',
  },
  {
    name: 'reading of a reseller for its customer',
    breaks: 'A token of one account does not share a reading with a reseller of the same account.',
    text: 'key: JSON.stringify([tokenAccounts.key, found?.identity]),',
    replacement: 'key: String(token.accountId),',
    test: 'has the samples of its rows alone, after other tokens and at once with them',
  },
  {
    name: 'accounts lost by a rotation',
    breaks: 'The token that replaces another one in a rotation has the same accounts.',
    text: 'insertToken(creation, { ...old, expiresAt: end }',
    replacement: 'insertToken(creation, { ...old, accounts: old.accounts.slice(0, 1), expiresAt: end }',
    test: 'is as the model says, in every process',
  },
  {
    name: 'use of a revoked token',
    breaks: 'A request that is refused for its token is no use of the token.',
    text: 'return { settings: found.settings, token: found.row && foundToken(found.row) };',
    replacement: `const token = found.row && foundToken(found.row);
      if (token?.state === 'revoked')
        await database.query('tokens.touch', (handle) =>
          handle(tables.rateLimits)
            .insert({ token_id: token.id, window_start: 0, hits: 0, last_used_at: token.readAt })
            .onConflict('token_id')
            .merge(['last_used_at']),
        );
      return { settings: found.settings, token };`,
    test: 'is as the model says, in every process',
  },
  {
    name: 'switch that a process remembers',
    breaks: 'A switch that one process sets is obeyed by every other one with its next request.',
    text: "if (this.#keys.includes('enabled') && !value('enabled')) return null;",
    replacement: `const own = this.#keys as { isOn?: boolean };
      own.isOn ||= value('enabled') === true;
      if (this.#keys.includes('enabled') && !own.isOn) return null;`,
    test: 'is as the model says, in every process',
  },
  {
    name: 'version compared only at the start',
    breaks: 'A process refuses requests a minute after the tables have got limits that it does not know.',
    text: 'if (this.#wasReady) missingIn(await this.history());',
    replacement: 'if (this.#wasReady) await this.history();',
    test: 'are refused by a process a minute after it read them, until they are no longer',
  },
  {
    name: 'window of a clock that jumps',
    breaks:
      'A token gets its limit once in each window, also if the clock of a process jumps in the middle of a batch.',
    text: 'const window = `${clock} - MOD(${clock}, ${windowSeconds})`;',
    replacement: `const offset = Date.now() - performance.now();
      const jumped = Math.max(0, Math.round((offset - ((globalThis as any).firstOffset ??= offset)) / 1000));
      const window = \`\${clock} + \${jumped} - MOD(\${clock} + \${jumped}, \${windowSeconds})\`;`,
    test: 'is served exactly',
    on: 'mariadb',
  },
];
