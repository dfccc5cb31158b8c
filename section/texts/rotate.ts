/** The page on which a token is rotated. */
export const rotateTexts = {
  'rotate.title': 'Rotate {name}',
  'rotate.hint':
    'A new token with the same scopes and limits replaces this one. Put it into every program before the old one ends.',
  'rotate.grace': 'How long the old token {token} stays valid',
  'rotate.grace.0': 'Not at all',
  'rotate.grace.3600': 'An hour',
  'rotate.grace.86400': 'A day',
  'rotate.grace.604800': 'A week',
  'rotate.grace.2592000': '30 days',
  'rotate.expiry': 'When the new token expires',
  'rotate.submit': 'Rotate the token',
  'rotate.ended': 'The token is no longer active or was already rotated, so it was not rotated.',
  'rotate.refused':
    'The old one, {previous}, was changed, rotated or revoked in the meantime, so it was not replaced. {token} is revoked: do not use it.',
  'rotate.unknown':
    '{token} is valid, but it is unknown whether {previous} was ended. Open its page to see that, and revoke it if it must not stay valid.',
  'rotate.cancel': 'Cancel',
} as const;
