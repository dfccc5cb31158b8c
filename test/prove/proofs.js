/**
 * The proofs that `npm run prove` runs in this order, one per row. The last one also searches what the fixtures received
 * from panels in all of them.
 *
 * - `name`: by which it is run alone;
 * - `promise`: what it proves, in a sentence;
 * - `files`: its test files and folders. Those that read `test/prove/scale.ts` try more in a whole run than with `--fast`;
 * - `plants`: faults of `test/mutants/mutants.js`, by name. With each of them planted, the proof must fail.
 */
exports.proofs = [
  {
    name: 'revocation',
    promise: 'A request that starts after a revocation has returned is refused, in every process.',
    files: [
      'test/prove/revocation',
      'test/lib/tokens/races.test.ts',
      'test/lib/tokens/revocation.test.ts',
      'test/lib/tokens/extension.test.ts',
      'test/lib/tokens/rotation.test.ts',
    ],
    plants: ['token cache', 'revoked token', 'revocation of a version', 'extended end'],
  },
  {
    name: 'owners',
    promise:
      'A request that starts after the account of its token was suspended, deleted, replaced or moved gets no row of it.',
    files: ['test/prove/owners.test.ts', 'test/lib/accounts'],
    plants: ['cached owner', 'owner before the rows', 'id alone', 'suspended owner', 'accounts of before'],
  },
  {
    name: 'customers',
    promise:
      'A customer who creates tokens gets no more than the settings allow, through any number of processes, and no answer that tells of another account.',
    files: [
      'test/prove/customers.test.ts',
      'test/lib/tokens/customers.test.ts',
      'test/lib/tokens/ofAccount.test.ts',
      'test/prove/customersPages.test.ts',
      'test/account-section',
    ],
    plants: [
      'account of the form',
      'form of another customer',
      'token of another account on a page',
      'history of the account before',
      'use by the account before',
      'stale session',
      'number checked in the page only',
      'creations beside one another',
      'scopes checked in the page only',
      'account of the request',
      'change of any token',
      'list that is not filtered',
      'tokens of a predecessor',
    ],
  },
  {
    name: 'limit',
    promise: 'A token gets exactly as many requests as its limit says, through any number of processes.',
    files: ['test/prove/limit', 'test/lib/limiter', 'test/lib/tokens/rateLimit.test.ts'],
    plants: ['limit', 'open limiter', 'window without an end', 'window of a clock that jumps'],
  },
  {
    name: 'versions',
    promise:
      'Processes of two versions on one database keep the promises for the tokens of both, and none serves a token whose limits it may not know.',
    files: ['test/prove/versions', 'test/lib/database/migrations/newer.test.ts'],
    plants: [
      'tables of a later version',
      'version compared only at the start',
      'switch that a process remembers',
    ],
  },
  {
    name: 'expiry',
    promise: "A token is valid until its expiry by the database's clock, in every time zone.",
    files: [
      'test/prove/expiry.test.ts',
      'test/lib/tokens/clocks.test.ts',
      'test/lib/tokens/expiredMeanwhile.test.ts',
      'test/lib/database/clock.test.ts',
    ],
    plants: ['expired token', 'own clock', 'late change'],
  },
  {
    name: 'interrupted',
    promise:
      'A change of a token or a setting and its audit entry are both stored or neither is, also if the process is killed.',
    files: [
      'test/prove/interrupted.test.ts',
      'test/lib/tokens/commit.test.ts',
      'test/lib/tokens/idempotency.test.ts',
      'test/lib/database/migrations/killed.test.ts',
    ],
    plants: ['audit apart', 'setting apart'],
  },
  {
    name: 'restores',
    promise:
      'After a restore of the database, what was ended is ended again by the log, nothing else is, and no id is given twice.',
    files: ['test/prove/restores.test.ts', 'test/lib/history'],
    plants: [
      'comparison that a restart forgets',
      'narrowing that is not done again',
      'id given twice',
      'restore that another id hides',
    ],
  },
  {
    name: 'lives',
    promise:
      'Through any life of tokens, accounts and settings, every answer, record and audit entry is the one that the promises name, in every process.',
    files: ['test/prove/lives'],
    plants: [
      'revoked token',
      'id alone',
      'suspended owner',
      'extended end',
      'accounts lost by a rotation',
      'use of a revoked token',
      'switch that a process remembers',
    ],
  },
  {
    name: 'scopes',
    promise:
      'A token reads only what its scopes, its accounts and its addresses allow, from endpoints, metrics and tools.',
    files: [
      'test/prove/doors',
      'test/http/requestLine.test.ts',
      'test/lib/lists/boundTokens.test.ts',
      'test/lib/tokens/account.test.ts',
      'test/lib/tokens/addresses.test.ts',
      'test/http/https.test.ts',
      'test/metrics/endpoint.test.ts',
    ],
    plants: [
      'scope',
      'foreign account',
      'addresses',
      'https',
      'metrics of another account',
      'metrics of every scope',
      'search beyond the accounts',
      'list beside a list beyond the accounts',
      'reading of a reseller for its customer',
    ],
  },
  {
    name: 'faults',
    promise:
      'If a part fails, the answer is 503 within the deadline, and requests are served again when it is back. No statement outlives its request.',
    files: [
      'test/prove/faults',
      'test/http/faults',
      'test/http/streams',
      'test/lib/database/lateEnd.test.ts',
      'test/lib/usage',
      'test/lib/limiter/redisFailure.test.ts',
      'test/lib/limiter/redisLate.test.ts',
      'test/lib/limiter/lostCounts.test.ts',
    ],
    plants: [
      'deadline',
      'closed JSON',
      'logger',
      'client that left',
      'circuit breaker',
      'answer without an end',
      'transaction of a full disk',
      'lines in memory',
      'statement without a limit',
      'slot of a late statement',
      'statement that is not cancelled',
    ],
  },
  {
    name: 'simulation',
    promise:
      'In every order of events, each request ends once, with its own answer, and is counted once; no slot is lost or held twice.',
    files: ['test/simulation'],
    plants: [
      'end of an earlier batch',
      'forgotten line of a run',
      'turn of a holder',
      'locked row among the others',
    ],
  },
  {
    name: 'anomalies',
    promise:
      'If any call of a request fails, in any way, the request has one correct answer and one log line.',
    files: [
      'test/prove/anomalies',
      'test/http/faults/panelFunctions.test.ts',
      'test/lib/sources/function/functionFaults.test.ts',
      'test/lib/requests',
    ],
    plants: ['open limiter', 'failing switch', 'logger', 'deadline'],
  },
  {
    name: 'input',
    promise:
      'Hostile input gets a fixed answer: no 5xx, no part of the input, and data only for a live token.',
    files: [
      'test/prove/input',
      'test/lib/tokens/format.test.ts',
      'test/http/everyMethod.test.ts',
      'test/http/requestLine.test.ts',
      'test/lib/lists/parameters.test.ts',
      'test/lib/lists/filters.test.ts',
    ],
    plants: [
      'raw filter',
      'row on two pages',
      'lost equal key',
      'second credentials',
      'second credentials over HTTP/2',
      'refused HEAD',
      'any scheme',
      'value in an error',
      'unknown path',
    ],
  },
  {
    name: 'lists',
    promise:
      'A parameter means the same for every list, every kind of column and every database that the module supports.',
    files: ['test/lib/lists', 'test/lib/sources', 'test/bin/commands/check.test.ts'],
    plants: [
      'foreign cursor',
      'loose comparison',
      "query's own or",
      'limit of a function',
      'setting of another key',
    ],
  },
  {
    name: 'copies',
    promise:
      'After a run of sync that ends well, the copy equals the list. After any other it is as it was, whatever the network does.',
    files: [
      'test/prove/copies',
      'test/client/sync.test.ts',
      'test/client/FileStore.test.ts',
      'test/client/processes.test.ts',
    ],
    plants: [
      'deletion before the end',
      'cut answer as a whole one',
      'changes at once',
      'tag of a failed run',
      'loss without suspicion',
      'two processes on one file',
      'file of a failed run',
    ],
  },
  {
    name: 'injection',
    promise:
      'No value of a client becomes SQL: sqlmap finds no way, and finds one in a route beside the module.',
    files: ['test/prove/injection'],
    plants: ['raw filter'],
  },
  {
    name: 'neighbours',
    promise: 'A token that does its worst delays neither the panel nor other tokens.',
    files: [
      'test/prove/neighbours.test.ts',
      'test/metrics/neighbours.test.ts',
      'test/metrics/readings.test.ts',
      'test/lib/lists/ListAnswers.test.ts',
      'test/lib/lists/sharedReads.test.ts',
      'test/http/streams/share.test.ts',
      'test/http/faults/frozen.test.ts',
      'test/lib/tokens/forgottenAddresses.test.ts',
    ],
    plants: ['share of a token', 'failure of another token', 'read of another token'],
  },
  {
    name: 'section',
    promise: 'The API section takes no form of another site, and shows its pages only to administrators.',
    files: [
      'test/section/safety.test.ts',
      'test/section/crossSite.test.ts',
      'test/section/sealedForm.test.ts',
    ],
    plants: ['form of another site', 'forged form'],
  },
  {
    name: 'pages',
    promise:
      'Every page of the API section fits every screen, works by keyboard and without JavaScript, and has no fault for assistive technology.',
    files: [
      'test/section/browserLooks.test.ts',
      'test/section/browserKeyboard.test.ts',
      'test/section/browserLife.test.ts',
      'test/section/browserBack.test.ts',
      'test/section/browserProfile.test.ts',
    ],
    plants: ['unnamed field'],
  },
  {
    name: 'hosts',
    promise: 'The package works in every host that the compatibility page names, and after an upgrade.',
    files: [
      'test/prove/hosts',
      'test/http/mounting.test.ts',
      'test/http/handles.test.ts',
      'test/http/alike.test.ts',
      'test/http/requestLine.test.ts',
      'test/http/modes.test.ts',
      'test/lib/database/migrations',
      'test/docs/database-rights.test.ts',
    ],
    plants: [
      'no-store',
      'parsed form',
      'mount path',
      'types of the tests',
      'backslash in a text',
      'order of assignments',
      "character set of the panel's",
      'schema public',
      'rows as arrays',
      'one installation',
      'further right',
      'migrations without a lock',
      'half a table',
    ],
  },
  {
    name: 'secrets',
    promise: 'No token, hash, password or text of a database error leaves the module.',
    files: [
      'test/prove/secrets',
      'test/http/faults/secrecy.test.ts',
      'test/http/requestLog.test.ts',
      'test/lib/tokens/creation.test.ts',
      'test/lib/masking',
      'test/routes/cron.test.ts',
      'test/routes/items.test.ts',
      'test/routes/shownSettings.test.ts',
    ],
    plants: ['token in clear', 'token in the log', 'cause of a failure', 'cron command'],
  },
];
