/**
 * Faults that a change could introduce, one per row, with the test that must then fail:
 *
 * - `name` and `breaks`: the fault, and the promise that it breaks;
 * - `text`: a piece of the source that occurs exactly once in all source files; `replacement`: the faulty source;
 * - `test`: the title of the test, or a part of it, which occurs in exactly one test file; `on`: the engine, if the
 *   test runs on several.
 *
 * `npm run test:mutants` plants each fault in a copy of the tree and runs its test; `npm run test:mutants -- cache
 * expiry` does so for these rows only. If a row's `text` is not found because the source was reworded, find the code
 * that keeps the promise in `breaks` and copy the shortest piece of it that occurs once. If its test was renamed, copy
 * the new title. Then run the row. Delete a row only if its promise is withdrawn.
 */
exports.mutants = [
  {
    name: 'token cache',
    breaks: 'A token is looked up for every request, so that a revoked one is refused at once.',
    text: 'rowsByHash.get(key)',
    replacement: `((kept) => (kept.has(key) ? kept : kept.set(key, rowsByHash.get(key))).get(key))(
      (globalThis.keptRows ??= new Map()),
    )`,
    test: 'is refused by both to every request that starts after the revocation',
    on: 'sqlite',
  },
  {
    name: 'stale node',
    breaks: 'A revocation on one node of Galera holds for the next request on every node.',
    text: 'waited ? waited.wait(sql) : sql',
    replacement: 'sql',
    test: 'is repeated with the wait as soon as the server is a node',
  },
  {
    name: 'token in clear',
    breaks: 'Of a token its SHA-256 alone is stored and compared.',
    text: "hash('sha256', token, 'buffer')",
    replacement: 'Buffer.from(token).subarray(0, 32)',
    test: 'stores its SHA-256 and nothing else from which it could be read',
    on: 'sqlite',
  },
  {
    name: 'revoked token',
    breaks: 'A revoked token is refused.',
    text: "throw new ApiError('token_revoked')",
    replacement: 'void 0',
    test: 'is revoked after a confirmation, and refused from then on',
    on: 'sqlite',
  },
  {
    name: 'expired token',
    breaks: 'An expired token is refused.',
    text: "throw new ApiError('token_expired')",
    replacement: 'void 0',
    test: 'keeps the old token valid for the grace time and no longer',
    on: 'sqlite',
  },
  {
    name: 'own clock',
    breaks: "Expiry is judged by the database's clock, not by that of the process.",
    text: 'integer(row.clock)',
    replacement: 'Math.floor(Date.now() / 1000)',
    test: 'refuse an expired token in a process whose own clock is before its expiry',
    on: 'sqlite',
  },
  {
    name: 'addresses',
    breaks: 'A token is refused at an address that is not in its list.',
    text: 'if (allowed.length === 0) return true;',
    replacement: 'return true;',
    test: 'refuse a request from any other address with 403 and the address that was seen',
    on: 'sqlite',
  },
  {
    name: 'https',
    breaks: 'A request without HTTPS that does not come from the server itself is refused.',
    text: 'return secure || ',
    replacement: 'return true || ',
    test: 'is refused before its token is read, with a message that says what to set',
    on: 'sqlite',
  },
  {
    name: 'switch',
    breaks: 'While the API is switched off, every endpoint answers 503 and reads no token.',
    text: "this.#keys.includes('enabled') && !value('enabled')",
    replacement: 'false',
    test: 'uses the switch that was turned in another process',
    on: 'sqlite',
  },
  {
    name: 'scope',
    breaks: 'A token reads only what its scopes grant.',
    text: 'return scopes.includes(scope) || scopes.includes(EVERY_SCOPE);',
    replacement: 'return true;',
    test: 'to a token with every scope but',
    on: 'sqlite',
  },
  {
    name: 'open limiter',
    breaks: 'If the store of the limit fails, the answer is 503: no request passes uncounted.',
    text: '.catch((error) => this.#fail(error))',
    replacement: '.catch(() => ({ hits: 1, secondsLeft: 1, resetsAt: 0 }))',
    test: 'every request is 503 without',
    on: 'sqlite',
  },
  {
    name: 'limit',
    breaks: 'The limit lets exactly as many requests through as it says.',
    text: 'if (hits > limit)',
    replacement: 'if (hits > limit + 1)',
    test: 'refuses the next request with the seconds until the window resets',
    on: 'sqlite',
  },
  {
    name: 'last use',
    breaks: 'The use of a token is noted before the answer is sent.',
    text: 'lastUse.note(token, lastUsedAddress ? request.arrival.clientIp : null)',
    replacement: 'void setTimeout(() => lastUse.note(token, null), 500)',
    test: 'is stored before the answer is sent, and the answer shows it',
    on: 'sqlite',
  },
  {
    name: 'audit apart',
    breaks: 'A change and its audit entry are one transaction: both or neither.',
    text: `await session.run((knex) =>
      knex(this.#own.table).insert({`,
    replacement: `await this.#own.database.query('audit.append', (knex) =>
      knex(this.#own.table).insert({`,
    test: 'leaves neither a token nor an audit entry',
  },
  {
    name: 'error text in the log',
    breaks: 'Nothing of the text of an error is logged.',
    text: 'printable(cause.name, 64)',
    replacement: 'printable(String(cause.message), 64)',
    test: 'answers 503 within the deadline if enabled',
  },
  {
    name: 'token in the log',
    breaks: 'No token is logged, wherever a client writes it.',
    text: "text.replace(TOKEN_WITHIN, '…')",
    replacement: 'text',
    test: 'ignores the id of a request that contains a token between',
  },
  {
    name: 'logger',
    breaks: "A panel's logger that throws harms no request.",
    text: `} catch {
      this.#lose();`,
    replacement: `} catch (error) {
      throw error;`,
    test: 'answers as usual if its logger',
  },
  {
    name: 'no-store',
    breaks: 'No cache keeps an answer.',
    text: "ctx.set('Cache-Control', 'no-store');",
    replacement: '',
    test: 'forbids caches to keep any answer',
  },
  {
    name: 'foreign account',
    breaks: 'A token of one account reads the rows of that account alone.',
    text: 'new Map([[owner, new Set([accountId])]])',
    replacement: 'new Map()',
    test: 'reads only its own rows if it asks for other fields than the account',
    on: 'sqlite',
  },
  {
    name: 'foreign row of a collation',
    breaks:
      "Every row is held against the token's account to the letter, whatever the database takes for the same.",
    text: 'isWithin(item) && wanted.every(([name, values]) => has(item, name, values))',
    replacement: 'isWithin(item)',
    test: 'reads only what belongs to',
    on: 'mariadb',
  },
  {
    name: 'raw filter',
    breaks: 'A value of a filter is bound and never part of the SQL.',
    text: "values.map(() => right).join(', ')",
    replacement: `values.splice(0).map((value) => "'" + value + "'").join(', ')`,
    test: 'returns exactly the rows that hold the value',
    on: 'sqlite',
  },
  {
    name: 'foreign cursor',
    breaks: 'A cursor goes on with its own list alone.',
    text: '    VERSION,\n    resource,\n    key,',
    replacement: '    VERSION,\n    key,',
    test: 'of another list',
    on: 'sqlite',
  },
  {
    name: 'unlisted setting',
    breaks: 'Only the settings that the panel allows are shown.',
    text: '[...asked].filter((key) => this.#allowed.has(key))',
    replacement: 'asked',
    test: 'are all that %j asks for',
    on: 'sqlite',
  },
  {
    name: 'cron command',
    breaks: 'A cron command is masked.',
    text: '? maskCommand(command) : null',
    replacement: '? command : null',
    test: 'derives fields that the panel has no column for',
    on: 'sqlite',
  },
  {
    name: 'closed JSON',
    breaks: 'A list that fails half-way breaks the connection instead of ending as if it were whole.',
    text: 'breakOff(ctx);',
    replacement: "ctx.res.end(']}}');",
    test: 'half-way breaks off for the client, and the log says why',
    on: 'postgresql',
  },
  {
    name: 'deadline',
    breaks: 'A request is answered within the deadline, whatever it waits for.',
    text: 'withTimeout(next(request), deadlineMs,',
    replacement: 'withTimeout(next(request), 60_000,',
    test: 'answers 503 within the deadline if enabled',
  },
  {
    name: 'form of another site',
    breaks: 'The section takes no form that another site sent.',
    text: "if (site !== '') return site === 'same-origin';",
    replacement: "if (site !== '') return true;",
    test: 'refuses a form that was sent by',
  },
  {
    name: 'forged form',
    breaks: 'The section takes no form whose token is forged.',
    text: 'if (!timingSafeEqual(expected, Buffer.from(signature))) return null;',
    replacement: '',
    test: 'refuses the form of another administrator and of another action',
  },
  {
    name: 'share of a token',
    breaks: 'The long lists of one token leave room for those of another.',
    text: 'new Bulkhead(long, patienceMs, atLeastOne(long / 2))',
    replacement: 'new Bulkhead(long, patienceMs, long)',
    test: 'do not keep the long lists and the pages of another token from starting',
    on: 'mariadb',
  },
];
