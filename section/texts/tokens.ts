/** The list of tokens, and the words for a token's state that all pages use. */
export const tokensTexts = {
  'state.active': 'active',
  'state.expired': 'expired',
  'state.revoked': 'revoked',
  'state.rotated': 'rotated',
  'state.rotated_active': 'rotated, still valid',
  'warning.expiring': 'expires soon',
  'warning.everlasting': 'never expires',
  'warning.wildcard': 'every scope',
  'warning.unused': 'unused for 90 days',
} as const;
