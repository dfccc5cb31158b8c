/** The page on which a token is extended. */
export const extendTexts = {
  'extend.title': 'Extend {name}',
  'extend.now': 'It expires {relative}, at {time}. The days count from then.',
  'extend.days': { one: 'Extend by {count} day', other: 'Extend by {count} days' },
  'extend.until': 'until {time}, {relative}',
  'extend.never': 'Never expire',
  'extend.never.hint': 'The token is valid until it is revoked.',
  'extend.date': 'Or until a date',
  'extend.date.hint': 'The token is valid until the end of this day in UTC.',
  'extend.submit': 'Extend until this date',
  'extend.ended': 'The token is no longer active, so it was not extended.',
  'extend.stale': 'The token was changed after this page was opened. It was not extended.',
  'extend.cancel': 'Cancel',
} as const;
