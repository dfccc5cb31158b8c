/** What a token for a common purpose may read. There is none for everything: that is one box of the form. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly scopes: readonly string[];
}

export const presets: readonly Preset[] = [
  {
    name: 'monitoring',
    title: 'Monitoring',
    scopes: ['services.read', 'ssl.read', 'jobs.read', 'cron.read', 'platform.read'],
  },
  {
    name: 'billing',
    title: 'Billing',
    scopes: ['accounts.read', 'domains.read', 'websites.read', 'email.read', 'databases.read'],
  },
  { name: 'backup-audit', title: 'Backup audit', scopes: ['backups.read', 'jobs.read', 'cron.read'] },
];
