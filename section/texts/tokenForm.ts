/** The fields of a token, in the form of a new one and of one that is edited. */
export const tokenFormTexts = {
  'form.name': 'Name',
  'form.name.hint': 'What the token is for, such as the program that uses it.',
  'form.note': 'Note',
  'form.note.hint':
    'Anything that you and other administrators should know about it. The API does not return it.',
  'form.scopes': 'What the token may read',
  'form.presets': 'Select the scopes for a common purpose:',
  'form.preset.monitoring': 'Monitoring',
  'form.preset.billing': 'Billing',
  'form.preset.backup-audit': 'Backup audit',
  'form.preset.done': {
    one: '{preset}: {count} scope is selected.',
    other: '{preset}: {count} scopes are selected.',
  },
  'form.everything': 'Everything',
  'form.everything.hint': 'Every scope below, and every scope that a later version adds.',
  'form.not_served': 'not provided by this panel',
  'form.expiry': 'When the token expires',
  'form.restrictions': 'More restrictions',
  'form.account': 'Only one account',
  'form.account.hint':
    'Login name or id of the account. If empty, the token may read the data of all accounts.',
  'form.account.hint.id':
    'Id of the account, as the API shows it. If empty, the token may read the data of all accounts.',
  'form.account.none': 'No account has exactly the name or id “{search}”. Choose the account that you mean.',
  'form.account.several': 'Several accounts have the name or id “{search}”. Choose the one that you mean.',
  'form.account.as_id': 'Use “{search}” as the id',
  'form.account.more': 'There may be more. To see others, type more of the name, and press Review again.',
  'form.addresses': 'Only from these addresses',
  'form.addresses.hint':
    'Addresses or networks, such as 192.0.2.7 or 2001:db8::/32, one per line. If empty, any address is allowed.',
  'form.addresses.add': 'Add your address {address}',
  'form.addresses.added': 'Your address is added.',
  'form.rate_limit': 'Rate limit, in requests per window',
  'form.rate_limit.hint': 'If empty, the limit of the settings applies.',
  'form.problem': { one: 'One value must be corrected:', other: '{count} values must be corrected:' },
  // The module's own sentences about wrong values; a translation may replace them.
  'invalid.name': '{message}',
  'invalid.note': '{message}',
  'invalid.scopes': '{message}',
  'invalid.expires': '{message}',
  'invalid.accountId': '{message}',
  'invalid.allowedAddresses': '{message}',
  'invalid.rateLimit': '{message}',
} as const;
