/**
 * The parts of the module whose mutation score `npm run mutants` measures:
 *
 * - `name`: by which a part is measured alone;
 * - `sources`: the files that are mutated;
 * - `tests`: patterns of the test files that must find the mutants. They do not wait for deadlines, because each of
 *   them runs for many mutants;
 * - `engines`: the databases of these tests. SQLite if it is absent.
 */
exports.parts = [
  {
    name: 'scopes',
    sources: ['lib/requests/authenticateRequest.ts', 'lib/requests/checkRead.ts', 'lib/lists/findList.ts'],
    tests: [
      'http/(refusals|requestLine|requestLog|https)',
      'lib/requests',
      'lib/settings/requests',
      'lib/sources/missing',
      'lib/(lists/(boundTokens|findList|search)|openapi/lists)',
      'lib/tokens/(account|addresses|format|lastUsed)',
    ],
  },
  {
    name: 'envelope',
    sources: [
      'middleware/answerInEnvelope.ts',
      'lib/requests/asApiError.ts',
      'lib/json/*.ts',
      'lib/errors/*.ts',
    ],
    tests: [
      'http/(expectContinue|refusals|requestLine|requestLog|tokenExpires|everyMethod)',
      'metrics/endpoint',
      'http/faults/(panelFunctions|secrecy)',
      'http/streams/(dropped|whole)',
      'lib/(json|errors|requests)',
      'lib/lists/(fields|pages|parameters|validators)',
      'lib/tokens/(duplicate|rateLimit|tokenPages)',
    ],
  },
  {
    name: 'limiter',
    sources: ['lib/limiter/*.ts', 'lib/requests/RequestLimits.ts'],
    // MariaDB may need a second statement for the count.
    engines: ['mariadb', 'sqlite'],
    tests: [
      'http/requestLog',
      'lib/limiter/(DatabaseLimiter|storeLimiter|aheadWindow|changedWindow|lostCounts|redis|window)',
      'lib/requests',
    ],
  },
  {
    name: 'tokens',
    sources: ['lib/tokens/*.ts', '!lib/tokens/{create,rotate}Token.ts'],
    tests: [
      'lib/tokens/(?!clocks|commit|handles|races)',
      'lib/accounts/severalAccounts',
      'http/(requestLine|requestLog)',
      'http/faults/panelFunctions',
      'section/pages/(audit|token)',
    ],
  },
  {
    name: 'newTokens',
    sources: ['lib/tokens/{create,rotate}Token.ts'],
    // They lose the answer to COMMIT, which takes a second and more.
    tests: [
      'lib/tokens/(commit|creation|duplicate|idempotency|life|queryNames|randomness|refusals|rotation|unknownAnswer)',
    ],
  },
  {
    name: 'queries',
    sources: ['lib/lists/{cursor,figures,filterValues,parseListQuery,ranges,search}.ts'],
    tests: ['lib/lists'],
  },
  {
    name: 'lists',
    sources: ['lib/lists/{ListAnswers,previewAccess,readList}.ts'],
    // The one connection of a handle of SQLite gives no snapshot.
    engines: ['mariadb', 'sqlite'],
    tests: [
      '(assistants/answers|metrics/figures)',
      'http/streams/(aborted|dropped|renamed|snapshot|whole|wide)',
      'http/together',
      'lib/(lists|accounts|requests)',
      'lib/openapi/lists',
      'lib/sources/(guards|missing)',
    ],
  },
];
