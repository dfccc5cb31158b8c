import type { Knex } from 'knex';
import type { AuditLog } from '../audit/AuditLog';
import type { OwnTable } from '../database/migrations/Migrations';

/** A stored token, without its hash. Times are seconds since 1970. */
export interface TokenRecord {
  readonly id: number;
  readonly name: string;
  /** The first characters, for recognition. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** The one account whose rows the token may read; null if it may read those of all. */
  readonly accountId: string | null;
  /** The addresses and networks (CIDR) that it may be used from; empty if from anywhere. */
  readonly allowedAddresses: readonly string[];
  /** Requests that it may make in one window; null if the setting holds. */
  readonly rateLimit: number | null;
  /** The id of the first token in the line of replacements that ends with this one; its own id if it replaced none. */
  readonly lineage: number;
  /** When it was replaced by a new one; null if it was not. */
  readonly rotatedAt: number | null;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Null if the token never expires. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly revokedBy: string | null;
  /** By the database's clock. A revoked token is `revoked` even after its expiry. */
  readonly state: 'active' | 'expired' | 'revoked';
  /** The database's clock when the record was read. */
  readonly readAt: number;
}

/**
 * The columns of a record, under names of one word: a handle that translates names between snake and camel case, in
 * queries, in results or in both, does not change them.
 */
export const TOKEN_COLUMNS = {
  id: 'id',
  name: 'name',
  prefix: 'prefix',
  scopes: 'scopes',
  account: 'account_id',
  addresses: 'allowed_addresses',
  limit: 'rate_limit',
  lineage: 'lineage',
  rotated: 'rotated_at',
  created: 'created_at',
  creator: 'created_by',
  expiry: 'expires_at',
  used: 'last_used_at',
  revoked: 'revoked_at',
  revoker: 'revoked_by',
} as const;

/** Reads a row selected as TOKEN_COLUMNS with the database's clock as `clock`. */
export function tokenRecord(row: Readonly<Record<string, unknown>>): TokenRecord {
  const id = integer(row.id);
  const expiresAt = integerOrNull(row.expiry);
  const revokedAt = integerOrNull(row.revoked);
  const readAt = integer(row.clock);
  return {
    id,
    name: String(row.name),
    prefix: String(row.prefix),
    scopes: String(row.scopes).split(' '),
    accountId: textOrNull(row.account),
    // An empty text is a list of one word that is no address: it allows none.
    allowedAddresses: textOrNull(row.addresses)?.split(' ') ?? [],
    rateLimit: integerOrNull(row.limit),
    lineage: integerOrNull(row.lineage) ?? id,
    rotatedAt: integerOrNull(row.rotated),
    createdAt: integer(row.created),
    createdBy: String(row.creator),
    expiresAt,
    lastUsedAt: integerOrNull(row.used),
    revokedAt,
    revokedBy: row.revoker === null ? null : String(row.revoker),
    state: revokedAt !== null ? 'revoked' : expiresAt !== null && readAt >= expiresAt ? 'expired' : 'active',
    readAt,
  };
}

function integerOrNull(value: unknown): number | null {
  return value === null ? null : integer(value);
}

// A column that is missing must not pass for a time that is not set.
function integer(value: unknown): number {
  const read = value === undefined ? Number.NaN : Number(value);
  if (!Number.isSafeInteger(read)) throw unknownForm();
  return read;
}

// The same holds for an account and for addresses. A number may have lost something: the account 007 is not 7.
function textOrNull(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) throw unknownForm();
  return String(value);
}

function unknownForm(): TypeError {
  return new TypeError('The handle returned a column of a token in an unknown form.');
}

/** What all operations on tokens need. */
export interface TokensParts extends OwnTable {
  readonly audit: AuditLog;
  readonly prefix: string;
  /** Every scope that a token may carry, `*` among them. */
  readonly scopes: readonly string[];
}

/** Selects tokens as `tokenRecord` reads them; `from` may name their table in another way. */
export function selectTokens(
  { database: { knex, dialect }, table }: Pick<TokensParts, 'database' | 'table'>,
  from: string | Knex.Raw = table,
) {
  return knex(from)
    .select(TOKEN_COLUMNS)
    .select({ clock: knex.raw(dialect.now) });
}
