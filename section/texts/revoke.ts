/** The confirmation of a revocation. */
export const revokeTexts = {
  'revoke.title': 'Revoke {name}?',
  'revoke.hint': 'From the next request on, the API refuses {token}. You cannot restore a revoked token.',
  'revoke.today': { one: 'It sent {count} request today.', other: 'It sent {count} requests today.' },
  'revoke.sibling': 'Token {token} of the same lineage stays valid.',
  'revoke.left':
    'It replaces {token}, which is then the only one of its lineage that is left. {token} expires {time}: extend it before, or create another token.',
  'revoke.submit': 'Revoke it',
  'revoke.cancel': 'Keep it',
} as const;
