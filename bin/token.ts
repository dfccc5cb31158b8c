import { InvalidInput, isTokenId } from '../lib/errors/InvalidInput';
import { printable } from '../lib/errors/printable';
import { relativeTime, rfc3339OfSeconds } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { tokenWarnings, usualUse } from '../lib/tokens/tokenWarnings';
import { CommandFailure } from './exit';
import { type Screen, timeText } from './Terminal';
import type { Cell, Column } from './table';

/** Parses a token id. Throws InvalidInput. */
export function parseId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && isTokenId(id)) return id;
  throw new InvalidInput('id', 'The id of a token must be a whole number from 1 to 2147483647.');
}

/** Returns what was found of a token. Throws a CommandFailure if there is no such token. */
export function existing<T>(id: number, found: T | null): T {
  if (found !== null) return found;
  throw new CommandFailure('missing', `Token ${id} does not exist.`);
}

/** A token as JSON, for scripts. */
export function tokenJson(record: TokenRecord) {
  return {
    id: record.id,
    name: record.name,
    note: record.note,
    prefix: record.prefix,
    scopes: record.scopes,
    account_id: record.accountId,
    account_ids: record.accounts.map(({ id }) => id),
    owner: record.owner,
    allowed_addresses: record.allowedAddresses,
    rate_limit: record.rateLimit,
    lineage: record.lineage,
    state: record.state,
    created_at: rfc3339OfSeconds(record.createdAt),
    created_by: record.createdBy,
    origin: record.origin,
    expires_at: rfc3339OfSeconds(record.expiresAt),
    last_used_at: rfc3339OfSeconds(record.lastUsedAt),
    last_used_address: record.lastUsedAddress,
    rotated_at: rfc3339OfSeconds(record.rotatedAt),
    revoked_at: rfc3339OfSeconds(record.revokedAt),
    revoked_by: record.revokedBy,
    version: record.version,
  };
}

/** The state of a token in words. */
function stateCell({ state, rotatedAt }: TokenRecord): Cell {
  const text = rotatedAt === null || state === 'revoked' ? state : ROTATED[state];
  return { text, style: state === 'active' ? (rotatedAt === null ? 'green' : 'yellow') : 'dim' };
}

const ROTATED = { active: 'rotated, still valid', expired: 'rotated' } as const;

/** A token's properties, for people. */
export function tokenFacts(record: TokenRecord, { width }: Screen): Readonly<Record<string, Cell>> {
  const time = (seconds: number | null, wide = width) => {
    const exact = rfc3339OfSeconds(seconds);
    if (seconds === null || wide === null) return exact ?? 'never';
    return `${exact} (${relativeTime(seconds, record.readAt)})`;
  };
  return {
    id: String(record.id),
    name: record.name,
    token: `${record.prefix}…`,
    scopes: record.scopes.join(' '),
    account: accountsText(record) || '-',
    addresses: record.allowedAddresses.join(' ') || 'any',
    rate_limit: String(record.rateLimit ?? 'default'),
    lineage: String(record.lineage),
    state: stateCell(record),
    last_used: time(record.lastUsedAt),
    used_from: record.lastUsedAddress ?? '-',
    // A revoked token has ended already, whenever it was to expire.
    expires: expiryCell(record, time(record.expiresAt, record.revokedAt === null ? width : null)),
    created: time(record.createdAt),
    created_by: record.createdBy,
    origin: record.origin ?? '-',
    rotated: time(record.rotatedAt),
    revoked: time(record.revokedAt),
    revoked_by: record.revokedBy ?? '-',
    // A table has one line for each fact.
    note: record.note?.replaceAll('\n', ' ') ?? '-',
  };
}

/** What a new token may do, as sentences for people. */
export function rightsText(record: TokenRecord): string {
  const { id, accounts, scopes, allowedAddresses, rateLimit } = record;
  return [
    `Token ${id} ${expiryText(record)}.`,
    `Scopes: ${scopes.join(' ')}.`,
    accounts.length > 0 && `Account: ${printable(accountsText(record))}.`,
    allowedAddresses.length > 0 && `Allowed addresses: ${allowedAddresses.join(', ')}.`,
    rateLimit !== null && `Rate limit: ${rateLimit} ${rateLimit === 1 ? 'request' : 'requests'} per window.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function accountsText({ accounts, owner }: TokenRecord): string {
  return accounts.map(({ id }) => id).join(', ') + (owner ? ' and the accounts that it owns' : '');
}

/** When a token expires, behind its name. */
export function expiryText({ expiresAt }: Pick<TokenRecord, 'expiresAt'>): string {
  return expiresAt === null ? 'never expires' : `expires at ${rfc3339OfSeconds(expiresAt)}`;
}

/** How often a token is used, when last, from where and by what, in a sentence. */
export function useText(token: TokenRecord, rows: Parameters<typeof usualUse>[0]): string {
  const { id, name, lastUsedAt, lastUsedAddress, readAt } = token;
  const { per, count, endpoints } = usualUse(rows);
  const last = lastUsedAt === null ? 'never' : relativeTime(lastUsedAt, readAt);
  if (per === 'never') return `Token ${id} (${name}) was not used in the last 30 days; last use: ${last}.`;
  const often = `${count === 1 ? 'once' : `${count} times`} ${per === 'day' ? 'a day' : 'in 30 days'}`;
  const from = lastUsedAddress === null ? '' : ` from ${lastUsedAddress}`;
  const by = new Intl.ListFormat('en').format(endpoints);
  return `Token ${id} (${name}) is used ${often}, last ${last}${from}, by ${by}.`;
}

/** The expiry of a token, yellow if it is soon, and dim if the token has ended. */
function expiryCell(record: TokenRecord, text: string): Cell {
  if (record.state !== 'active') return { text, style: 'dim' };
  return { text, style: tokenWarnings(record).includes('expiring') ? 'yellow' : null };
}

/** The columns of a list of tokens: on a terminal with relative times. */
export const tokenColumns: readonly Column<TokenRecord>[] = [
  { heading: 'ID', cell: ({ id }) => String(id) },
  { heading: 'NAME', cell: ({ name }) => name, narrow: 'cut' },
  { heading: 'SCOPES', cell: ({ scopes }) => scopes.join(' '), narrow: 'cut' },
  { heading: 'STATE', cell: stateCell },
  { heading: 'LAST USED', cell: ({ lastUsedAt, readAt }, screen) => timeText(lastUsedAt, readAt, screen) },
  {
    heading: 'EXPIRES',
    cell: (token, screen) =>
      expiryCell(token, token.state === 'revoked' ? '-' : timeText(token.expiresAt, token.readAt, screen)),
  },
  {
    heading: 'EXPIRY DATE',
    cell: ({ expiresAt, state }) => (state !== 'revoked' && rfc3339OfSeconds(expiresAt)?.slice(0, 10)) || '-',
    only: 'terminal',
    narrow: 'left out',
  },
  { heading: 'TOKEN', cell: ({ prefix }) => `${prefix}…`, narrow: 'left out' },
  { heading: 'ACCOUNT', cell: (token) => accountsText(token) || '-', narrow: 'left out' },
  { heading: 'ADDRESSES', cell: addressesText, narrow: 'left out' },
  { heading: 'LIMIT', cell: ({ rateLimit }) => String(rateLimit ?? 'default'), narrow: 'left out' },
  { heading: 'LINEAGE', cell: ({ lineage }) => String(lineage), narrow: 'left out' },
  { heading: 'CREATED BY', cell: ({ createdBy }) => createdBy, narrow: 'left out' },
];

/** A hundred addresses would fill a terminal. `token show` prints all. */
function addressesText({ allowedAddresses: [first = 'any', ...others] }: TokenRecord, { width }: Screen) {
  if (width === null) return [first, ...others].join(' ');
  return others.length === 0 ? first : `${first} +${others.length}`;
}
