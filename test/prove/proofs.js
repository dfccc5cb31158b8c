/**
 * The proofs that `npm run prove` runs, one per row:
 *
 * - `name`: by which it is run alone;
 * - `promise`: what it proves, in a sentence;
 * - `files`: its test files and folders. Those in `test/prove` try more in a whole run than in `npm test`; the others
 *   are the same there;
 * - `plants`: faults of `test/mutants/mutants.js`, by name. With each of them planted, the proof must fail.
 */
exports.proofs = [
  {
    name: 'revocation',
    promise: 'A request that starts after a revocation has returned is refused, in every process.',
    files: [
      'test/prove/revocation.test.ts',
      'test/lib/tokens/races.test.ts',
      'test/lib/tokens/revocation.test.ts',
    ],
    plants: ['token cache', 'revoked token'],
  },
  {
    name: 'limit',
    promise: 'A token gets exactly as many requests as its limit says, through any number of processes.',
    files: ['test/prove/limit.test.ts', 'test/lib/limiter', 'test/lib/tokens/rateLimit.test.ts'],
    plants: ['limit', 'open limiter'],
  },
  {
    name: 'expiry',
    promise: "A token is valid until its expiry by the database's clock, in every time zone.",
    files: ['test/prove/expiry.test.ts', 'test/lib/tokens/clocks.test.ts', 'test/lib/database/clock.test.ts'],
    plants: ['expired token', 'own clock'],
  },
  {
    name: 'interrupted',
    promise:
      'A change of a token and its audit entry are both there or neither is, wherever the process ends.',
    files: [
      'test/prove/interrupted.test.ts',
      'test/lib/tokens/commit.test.ts',
      'test/lib/tokens/idempotency.test.ts',
      'test/lib/database/migrations/killed.test.ts',
    ],
    plants: ['audit apart'],
  },
  {
    name: 'anomalies',
    promise: 'A request has one correct answer and one log line, whichever of its calls fails, and however.',
    files: [
      'test/prove/anomalies.test.ts',
      'test/http/faults/panelFunctions.test.ts',
      'test/lib/sources/function/functionFaults.test.ts',
      'test/lib/requests',
    ],
    plants: ['open limiter', 'logger', 'deadline'],
  },
];
