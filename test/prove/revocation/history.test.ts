import { type Use, violations } from './history';

/** A token that was created at 0 and revoked between 10 and 20. */
const life = (...uses: Use[]) => violations({ createdMs: 0, revokeSentMs: 10, revokedMs: 20, uses });

const use = (sentMs: number, answeredMs: number, outcome: string): Use => ({ sentMs, answeredMs, outcome });

describe('The check of the life of a token', () => {
  test('finds nothing in a life that keeps the promises', () => {
    const uses = [
      use(1, 2, '200'),
      use(3, 12, '200'),
      // In flight while the token is revoked: either answer is right.
      use(11, 30, '200'),
      use(12, 15, '401 token_revoked'),
      use(21, 25, '503 unavailable'),
      use(22, 30, '401 token_revoked'),
    ];
    expect(life(...uses)).toEqual([]);
  });

  test.each([
    ['served after the revocation had returned', [use(21, 22, '200')]],
    ['served after it had been refused', [use(11, 12, '401 token_revoked'), use(13, 14, '200')]],
    ['refused before the revocation', [use(1, 9, '401 token_revoked')]],
    ['answered 401 token_invalid', [use(1, 9, '401 token_invalid')]],
    ['answered 429 rate_limited', [use(1, 9, '429 rate_limited')]],
    ['answered no answer', [use(21, 22, 'no answer')]],
  ])('finds a use that is %s', (sentence, uses) => {
    expect(life(...uses)).toEqual([sentence]);
  });
});
