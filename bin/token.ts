import { isatty } from 'node:tty';
import type { Installation } from '../lib/Installation';
import { rfc3339OfSeconds } from '../lib/time/time';
import type { CreatedToken } from '../lib/tokens/createToken';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { cliAuthor } from './author';
import { patienceMs } from './connect';
import { CommandFailure } from './exit';
import { print, printJson, printNote } from './output';
import { inTime } from './withInstallation';

interface Shown {
  /** What people are told beside the token. */
  readonly about: string;
  /** What scripts are given beside it. */
  readonly json: object | null;
  /** What the failure adds if the token could not be shown. */
  readonly unlessShown?: string;
}

/** Shows a new token this once, or revokes it where that fails. Throws a CommandFailure then. */
export async function showToken(
  installation: Installation,
  created: CreatedToken,
  shown: Shown,
): Promise<void> {
  try {
    show(created.token, shown);
  } catch {
    await takeBack(installation, created, shown);
  }
}

function show(token: string, { about, json }: Shown): void {
  const warning = 'It is shown this once and cannot be shown again.';
  if (json) printJson({ token, ...json });
  else if (isatty(1)) print(`${token}\n\n${about}\n${warning}`);
  else {
    // A script gets the token and nothing else.
    print(token);
    printNote(`${about} ${warning}`);
  }
}

async function takeBack(
  { tokens }: Installation,
  { record }: CreatedToken,
  { unlessShown = '' }: Shown,
): Promise<never> {
  const revoked = await inTime(tokens.revoke(record.id, cliAuthor()), patienceMs).catch(() => null);
  const end = revoked
    ? 'It was revoked.'
    : `It could not be revoked either: panel-api token revoke ${record.id} does it.`;
  throw new CommandFailure('output', `The token could not be shown. ${end} ${unlessShown}`.trim());
}

/** What scripts read about a token. */
export function tokenJson(record: TokenRecord) {
  return {
    id: record.id,
    name: record.name,
    prefix: record.prefix,
    scopes: record.scopes,
    account_id: record.accountId,
    allowed_addresses: record.allowedAddresses,
    rate_limit: record.rateLimit,
    lineage: record.lineage,
    state: record.state,
    created_at: rfc3339OfSeconds(record.createdAt),
    created_by: record.createdBy,
    expires_at: rfc3339OfSeconds(record.expiresAt),
    last_used_at: rfc3339OfSeconds(record.lastUsedAt),
    rotated_at: rfc3339OfSeconds(record.rotatedAt),
    revoked_at: rfc3339OfSeconds(record.revokedAt),
    revoked_by: record.revokedBy,
  };
}

/** What people read about a token, by name. */
export function tokenText(record: TokenRecord) {
  return {
    id: String(record.id),
    name: record.name,
    token: `${record.prefix}…`,
    scopes: record.scopes.join(' '),
    account: record.accountId ?? '-',
    addresses: record.allowedAddresses.join(' ') || 'any',
    rate_limit: record.rateLimit === null ? 'default' : String(record.rateLimit),
    lineage: String(record.lineage),
    state: record.state,
    last_used: timeText(record.lastUsedAt),
    expires: timeText(record.expiresAt),
    created: timeText(record.createdAt),
    created_by: record.createdBy,
    rotated: timeText(record.rotatedAt),
    revoked: timeText(record.revokedAt),
    revoked_by: record.revokedBy ?? '-',
  };
}

function timeText(seconds: number | null): string {
  return rfc3339OfSeconds(seconds) ?? 'never';
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a task that a signal must not cut in two. */
export async function deferSignals<T>(task: () => Promise<T>): Promise<T> {
  const hold = () => undefined;
  for (const signal of SIGNALS) process.on(signal, hold);
  try {
    return await task();
  } finally {
    for (const signal of SIGNALS) process.off(signal, hold);
  }
}
