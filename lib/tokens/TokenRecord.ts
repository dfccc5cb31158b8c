/** A token as the module keeps it: everything but the token itself and its hash. Times are seconds since 1970. */
export interface TokenRecord {
  readonly id: number;
  readonly name: string;
  /** The first characters, for recognition. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** The one account that the token may read of; null when it is bound to none and reads of all. */
  readonly accountId: string | null;
  /** The addresses and networks (CIDR) that it may be used from; empty when from anywhere. */
  readonly allowedAddresses: readonly string[];
  /** Requests that it may make in one window; null for as many as any token. */
  readonly rateLimit: number | null;
  /** The id of the first of the tokens that replaced one another up to this one: its own when it replaced none. */
  readonly lineage: number;
  /** When it was replaced by a new one; null when it was not. */
  readonly rotatedAt: number | null;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Null when the token never expires. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly revokedBy: string | null;
  /** Judged by the database's clock. A token that was revoked stays revoked, expired or not. */
  readonly state: 'active' | 'expired' | 'revoked';
  /** The database's clock when the record was read. */
  readonly readAt: number;
}

/**
 * The columns of a record, under names of one word: a handle that translates between snake and camel case leaves them
 * alone, be it in the query or in the result, of which it may translate only one.
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
    // A list that is empty by accident has one word, which is no address.
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

// A time that is missing must never pass for one that is not set.
function integer(value: unknown): number {
  const read = value === undefined ? Number.NaN : Number(value);
  if (!Number.isSafeInteger(read)) throw unknownForm();
  return read;
}

// Nor must an account or a list of addresses, and what is no text any more may have lost something: 007 is another account than 7.
function textOrNull(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) throw unknownForm();
  return String(value);
}

function unknownForm(): TypeError {
  return new TypeError('The handle gave a column of a token in an unknown form.');
}
