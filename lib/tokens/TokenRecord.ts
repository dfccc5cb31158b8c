import type { Knex } from 'knex';
import type { AuditLog } from '../audit/AuditLog';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import { EVERY_SCOPE } from '../operations/Operation';
import { DAY_SECONDS } from '../time/time';

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

/** What the module's tokens are made of. */
export interface TokensParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly table: string;
  readonly prefix: string;
  /** Every scope that a token may carry, `*` among them. */
  readonly scopes: readonly string[];
}

/** A query of tokens, whose rows `tokenRecord` reads; `from` is their table in other words. */
export function selectTokens(
  { database: { knex, dialect }, table }: Pick<TokensParts, 'database' | 'table'>,
  from: string | Knex.Raw = table,
) {
  return knex(from)
    .select(TOKEN_COLUMNS)
    .select({ clock: knex.raw(dialect.now) });
}

/** A token that nobody used for so long is worth a question: 90 days. */
const UNUSED_SECONDS = 90 * DAY_SECONDS;

/** Why an administrator should look at a token that is good. */
export type TokenWarning = 'everlasting' | 'wildcard' | 'unused';

/** What is doubtful about a token; nothing about one that has ended. */
export function tokenWarnings(token: TokenRecord): readonly TokenWarning[] {
  if (token.state !== 'active') return [];
  const isOf: Readonly<Record<TokenWarning, boolean>> = {
    everlasting: token.expiresAt === null,
    wildcard: token.scopes.includes(EVERY_SCOPE),
    unused: (token.lastUsedAt ?? token.createdAt) < token.readAt - UNUSED_SECONDS,
  };
  return (Object.keys(isOf) as TokenWarning[]).filter((doubt) => isOf[doubt]);
}

const activeBy = (now: string) => `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;

/** How many tokens there are in each state. */
export async function countStates(parts: TokensParts): Promise<Record<TokenRecord['state'], number>> {
  const { now } = parts.database.dialect;
  return count(parts, 'tokens.states', {
    active: activeBy(now),
    expired: `revoked_at IS NULL AND expires_at <= ${now}`,
    revoked: 'revoked_at IS NOT NULL',
  });
}

/** How many active tokens an administrator should look at, and why. */
export async function countWarnings(parts: TokensParts): Promise<Record<TokenWarning, number>> {
  const { now } = parts.database.dialect;
  const active = activeBy(now);
  return count(parts, 'tokens.warnings', {
    everlasting: `${active} AND expires_at IS NULL`,
    wildcard: `${active} AND scopes = '${EVERY_SCOPE}'`,
    unused: `${active} AND COALESCE(last_used_at, created_at) < ${now} - ${UNUSED_SECONDS}`,
  });
}

async function count<K extends string>(
  { database, migrations, table }: TokensParts,
  name: string,
  conditions: Record<K, string>,
): Promise<Record<K, number>> {
  await migrations.ready();
  const counts = Object.entries<string>(conditions).map(
    ([key, condition]) => `COALESCE(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0) AS ${key}`,
  );
  // It looks at every token, and so goes behind what requests need.
  const [row] = await database
    .reading('tokens')
    .rows(name, `SELECT ${counts.join(', ')} FROM ${database.knex.ref(table).toString()}`);
  return Object.fromEntries(Object.keys(conditions).map((key) => [key, Number(row?.[key])])) as Record<
    K,
    number
  >;
}
