/** The choice of an expiry, in the forms of a new token, of an edit and of a rotation. */
export const expiryTexts = {
  'expiry.keep': 'As now: {time}',
  'expiry.days': { one: 'In {count} day', other: 'In {count} days' },
  'expiry.never': 'Never',
  'expiry.date': 'On a date',
  'expiry.date.label': 'The date',
  'expiry.hint': 'Days count from now. A date ends with its day in UTC.',
  'invalid.date': 'Choose the date on which the token expires.',
} as const;
