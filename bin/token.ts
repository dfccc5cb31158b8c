import { isTokenId } from '../lib/database/tokenId';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { printable } from '../lib/errors/printable';
import { relativeTime } from '../lib/time/relativeTime';
import { rfc3339OfSeconds } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { tokenWarnings } from '../lib/tokens/tokenWarnings';
import { CommandFailure } from './exit';
import { type Cell, screen, timeText } from './screen';
import type { Column } from './table';

/** Parses a token id. Throws InvalidInput. */
export function parseId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && isTokenId(id)) return id;
  throw new InvalidInput('id', 'The id of a token must be a whole number from 1 to 2147483647.');
}

export function unknownToken(id: number): CommandFailure {
  return new CommandFailure('missing', `Token ${id} does not exist.`);
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
    allowed_addresses: record.allowedAddresses,
    rate_limit: record.rateLimit,
    lineage: record.lineage,
    state: record.state,
    created_at: rfc3339OfSeconds(record.createdAt),
    created_by: record.createdBy,
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
export function stateCell({ state, rotatedAt }: TokenRecord): Cell {
  const text = rotatedAt === null || state === 'revoked' ? state : ROTATED[state];
  return { text, style: state === 'active' ? (rotatedAt === null ? 'green' : 'yellow') : 'dim' };
}

const ROTATED = { active: 'rotated, still valid', expired: 'rotated' } as const;

/** A token's properties, for people. */
export function tokenFacts(record: TokenRecord): Readonly<Record<string, Cell>> {
  const time = (seconds: number | null) => timeText(seconds, record.readAt);
  return {
    id: String(record.id),
    name: record.name,
    token: `${record.prefix}…`,
    scopes: record.scopes.join(' '),
    account: record.accountId ?? '-',
    addresses: record.allowedAddresses.join(' ') || 'any',
    rate_limit: record.rateLimit === null ? 'default' : String(record.rateLimit),
    lineage: String(record.lineage),
    state: stateCell(record),
    last_used: time(record.lastUsedAt),
    used_from: record.lastUsedAddress ?? '-',
    expires: expiryCell(record, time(record.expiresAt)),
    created: time(record.createdAt),
    created_by: record.createdBy,
    rotated: time(record.rotatedAt),
    revoked: time(record.revokedAt),
    revoked_by: record.revokedBy ?? '-',
    // A table has one line for each fact.
    note: record.note?.replaceAll('\n', ' ') ?? '-',
  };
}

/** What a new token may do, as sentences for people. */
export function rightsText({
  id,
  accountId,
  scopes,
  allowedAddresses,
  rateLimit,
  expiresAt,
}: TokenRecord): string {
  const expiry = expiresAt === null ? 'never expires' : `expires at ${rfc3339OfSeconds(expiresAt)}`;
  return [
    `Token ${id} ${expiry}.`,
    `Scopes: ${scopes.join(' ')}.`,
    ...(accountId === null ? [] : [`Account: ${printable(accountId)}.`]),
    ...(allowedAddresses.length === 0 ? [] : [`Allowed addresses: ${allowedAddresses.join(', ')}.`]),
    ...(rateLimit === null
      ? []
      : [`Rate limit: ${rateLimit} ${rateLimit === 1 ? 'request' : 'requests'} per window.`]),
  ].join(' ');
}

/** The expiry of a token, yellow if it is soon, and dim if the token has ended. */
function expiryCell(record: TokenRecord, text: string): Cell {
  if (record.state !== 'active') return { text, style: 'dim' };
  return { text, style: tokenWarnings(record).includes('expiring') ? 'yellow' : null };
}

const relative = (seconds: number | null, { readAt }: TokenRecord) =>
  seconds === null ? 'never' : relativeTime(seconds, readAt);
const exact = (seconds: number | null) => rfc3339OfSeconds(seconds) ?? 'never';

/** The columns of a list of tokens: on a terminal with relative times. */
export const tokenColumns: readonly Column<TokenRecord>[] = [
  { heading: 'ID', cell: ({ id }) => String(id) },
  { heading: 'NAME', cell: ({ name }) => name, least: 10 },
  { heading: 'SCOPES', cell: ({ scopes }) => scopes.join(' '), least: 10 },
  { heading: 'STATE', cell: stateCell },
  ...(screen.width === null
    ? [
        { heading: 'LAST USED', cell: ({ lastUsedAt }: TokenRecord) => exact(lastUsedAt) },
        { heading: 'EXPIRES', cell: ({ expiresAt }: TokenRecord) => exact(expiresAt) },
      ]
    : [
        { heading: 'LAST USED', cell: (token: TokenRecord) => relative(token.lastUsedAt, token) },
        {
          heading: 'EXPIRES',
          cell: (token: TokenRecord) => expiryCell(token, relative(token.expiresAt, token)),
        },
        {
          heading: 'EXPIRY DATE',
          cell: ({ expiresAt }: TokenRecord) => rfc3339OfSeconds(expiresAt)?.slice(0, 10) ?? '-',
          optional: true as const,
        },
      ]),
  { heading: 'TOKEN', cell: ({ prefix }) => `${prefix}…`, optional: true },
  { heading: 'ACCOUNT', cell: ({ accountId }) => accountId ?? '-', optional: true, least: 12 },
  { heading: 'ADDRESSES', cell: addressesText, optional: true },
  {
    heading: 'LIMIT',
    cell: ({ rateLimit }) => (rateLimit === null ? 'default' : String(rateLimit)),
    optional: true,
  },
  { heading: 'LINEAGE', cell: ({ lineage }) => String(lineage), optional: true },
  { heading: 'CREATED BY', cell: ({ createdBy }) => createdBy, optional: true, least: 12 },
];

/** A hundred addresses would fill the screen. `token show` prints all. */
function addressesText({ allowedAddresses: [first = 'any', ...others] }: TokenRecord): string {
  return others.length === 0 ? first : `${first} +${others.length}`;
}
