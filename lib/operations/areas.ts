/** The groups of endpoints in the documentation, and what each is about. */
export const areas = {
  'Accounts and users': 'Who holds a token, and the accounts of the panel.',
  'Domains and websites': 'Domains and what is served under them.',
  'Email and databases': 'Mailboxes, other addresses, and databases.',
  'SSL and security': 'Certificates and backups.',
  'Jobs and scheduling': 'Background work and recurring tasks.',
  'Platform and health': 'The server, its services and settings, and this API itself.',
} as const;

export type Area = keyof typeof areas;
