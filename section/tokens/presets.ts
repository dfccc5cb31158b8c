import type { OperationFacts } from '../../lib/operations/OperationFacts';

/** What a token for a common purpose may read. There is none for everything: that is one box of the form. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly scopes: readonly string[];
}

/** Every preset may read who it is: with that an integration begins. */
const PROFILE = 'profile.read';

const PRESETS: readonly Preset[] = [
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

/** The presets for a panel that serves these endpoints, with the scopes of no others. */
export function presetsFor(served: readonly OperationFacts[]): readonly Preset[] {
  const there = new Set(served.map(({ scope }) => scope));
  return PRESETS.map((preset) => ({ ...preset, scopes: preset.scopes.filter((scope) => there.has(scope)) }))
    .filter(({ scopes }) => scopes.length > 0)
    .map((preset) => ({ ...preset, scopes: [PROFILE, ...preset.scopes] }));
}
