import type { Knex } from 'knex';
import type { Turns } from '../async/Turns';
import type { AuditLog, Author } from '../audit/AuditLog';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { PanelLog } from '../log/PanelLog';
import type { CustomerBounds, TokenLife } from '../settings/Settings';
import { lastUseColumns } from './lastUse';
import {
  type Binding,
  bindingTo,
  type PresentAccount,
  type RequestToken,
  type TokenProperties,
  type TokenRecord,
} from './TokenRecord';

/**
 * The columns of a record, under names of one word: a client of knex that the panel extends may convert between snake
 * and camel case, and leaves these unchanged.
 */
export const TOKEN_COLUMNS = {
  id: 'id',
  name: 'name',
  prefix: 'prefix',
  scopes: 'scopes',
  accounts: 'accounts',
  addresses: 'allowed_addresses',
  limit: 'rate_limit',
  rotated: 'rotated_at',
  created: 'created_at',
  creator: 'created_by',
  expiry: 'expires_at',
  revoked: 'revoked_at',
} as const;

/** The columns that only administrators see. */
const FURTHER_COLUMNS = {
  note: 'note',
  lineage: 'lineage',
  revoker: 'revoked_by',
  origin: 'origin',
  version: 'version',
} as const;

/** Parses a row that was selected for `tokenRecord`. */
export function tokenRecord(row: Readonly<Record<string, unknown>>): TokenRecord {
  const token = requestToken(row);
  return {
    ...token,
    note: textOrNull(row.note),
    lineage: integerOrNull(row.lineage) ?? token.id,
    revokedBy: textOrNull(row.revoker),
    origin: textOrNull(row.origin) as TokenRecord['origin'],
    version: integer(row.version),
    ...readLastUse(row),
  };
}

/** Parses `lastUseColumns`. */
export function readLastUse(row: Readonly<Record<string, unknown>>) {
  return { lastUsedAt: integerOrNull(row.used), lastUsedAddress: textOrNull(row.client) };
}

/** Parses a row that was selected as TOKEN_COLUMNS, with the database's clock as `clock`. */
export function requestToken(row: Readonly<Record<string, unknown>>): RequestToken {
  const expiresAt = integerOrNull(row.expiry);
  const revokedAt = integerOrNull(row.revoked);
  const readAt = integer(row.clock);
  return {
    id: integer(row.id),
    name: String(row.name),
    prefix: String(row.prefix),
    scopes: String(row.scopes).split(' '),
    ...bindingOf(textOrNull(row.accounts)),
    // An empty text becomes a list with one invalid address, which allows no client.
    allowedAddresses: textOrNull(row.addresses)?.split(' ') ?? [],
    rateLimit: integerOrNull(row.limit),
    rotatedAt: integerOrNull(row.rotated),
    createdAt: integer(row.created),
    createdBy: String(row.creator),
    expiresAt,
    revokedAt,
    state: stateOf({ revokedAt, expiresAt, readAt }),
    readAt,
  };
}

/** Decides whether a token is active. A token that expires now has expired. */
export function stateOf(token: Pick<TokenRecord, 'revokedAt' | 'expiresAt' | 'readAt'>) {
  const { revokedAt, expiresAt, readAt } = token;
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && readAt >= expiresAt ? 'expired' : 'active';
}

function integerOrNull(value: unknown): number | null {
  return value === null ? null : integer(value);
}

// A missing column must not be read as a time that is not set.
function integer(value: unknown): number {
  const read = Number(value);
  if (!Number.isSafeInteger(read)) throw unknownForm();
  return read;
}

// Nor may an account or addresses be missing. A number may have lost something: the account 007 is not 7.
function textOrNull(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) throw unknownForm();
  return String(value);
}

/** An id is stored as hexadecimal digits, which every collation of LIKE compares exactly. */
export function storedId(id: string): string {
  return Buffer.from(id).toString('hex');
}

/** Selects the tokens that are bound to this account, alone or with others. */
export function whereBoundTo(tokens: Knex.QueryBuilder, accountId: string): Knex.QueryBuilder {
  return tokens.where('accounts', 'like', `%["${storedId(accountId)}",%`);
}

/** Selects the tokens that are bound to this account alone. */
export function whereBoundToAlone(tokens: Knex.QueryBuilder, accountId: string): Knex.QueryBuilder {
  // Within a name, quotation marks are escaped.
  return whereBoundTo(tokens, accountId).where('accounts', 'not like', '%],["%');
}

function storedAccounts({ accounts, owner }: Binding): string | null {
  if (accounts.length === 0) return null;
  const rows = accounts.map(({ id, createdAt, username }) => [storedId(id), createdAt, username]);
  return JSON.stringify({ owner, accounts: rows });
}

function bindingOf(stored: string | null): Binding {
  if (stored === null) return bindingTo([]);
  const { owner, accounts } = JSON.parse(stored);
  // A binding to no account would be one to all.
  if (accounts.length === 0) throw unknownForm();
  return bindingTo(
    accounts.map(([id, createdAt, username]: [string, string | null, string | null]) => ({
      id: Buffer.from(id, 'hex').toString(),
      createdAt,
      username,
    })),
    owner,
  );
}

function unknownForm(): TypeError {
  return new TypeError('The handle returned a column of a token in an unknown form.');
}

/** The columns that store these properties. */
export function storedProperties(token: TokenProperties) {
  return { name: token.name, note: token.note, ...storedRights(token) };
}

/** The columns that store what a token may do, and until when. */
export function storedRights(token: Omit<TokenProperties, 'name' | 'note'>) {
  return {
    scopes: token.scopes.join(' '),
    accounts: storedAccounts(token),
    allowed_addresses: token.allowedAddresses.length === 0 ? null : token.allowedAddresses.join(' '),
    rate_limit: token.rateLimit,
    expires_at: token.expiresAt,
  };
}

/** What all operations on tokens share. */
export interface TokensParts extends ModuleTables {
  readonly audit: AuditLog;
  /**
   * Returns the binding with what makes each account itself. Throws InvalidInput for an account that the list of
   * accounts does not have. Rejects if the list cannot be read.
   */
  readonly bind: (binding: Binding) => Promise<Binding>;
  /** Returns an account as the list of accounts shows it now. Rejects if the list cannot be read. */
  readonly findAccount: (id: string) => Promise<PresentAccount>;
  /** Reads how long tokens may live. */
  readonly readLife: () => Promise<TokenLife>;
  /** Reads what the settings allow a customer. */
  readonly readBounds: () => Promise<CustomerBounds>;
  /** The turns in which this process creates tokens for accounts: one that waits for another process holds a connection. */
  readonly turns: Turns;
  readonly log: Pick<PanelLog, 'warn'>;
  /** Tells the panel that a token was created. */
  readonly tellCreated: (token: TokenRecord) => void;
  readonly prefix: string;
  /** Every scope that a token may have, including `*`. */
  readonly scopes: readonly string[];
  /** The account that is the author of a change, and what the settings allow it; absent for other authors. */
  readonly customer?: Customer;
}

/** An account that changes its own tokens. */
export interface Customer extends PresentAccount {
  readonly bounds: CustomerBounds;
}

/** The same for a change, with how long tokens may live at present. */
export interface ChangeParts extends TokensParts {
  readonly life: TokenLife;
}

/** A transaction in which an author changes tokens. */
export interface TokenTransaction extends TokensParts {
  /** @internal */
  readonly session: Session;
  readonly author: Author;
}

/** Selects tokens for `tokenRecord`. @internal */
export function selectTokens(moduleTables: ModuleTables) {
  const { knex, dialect } = moduleTables.database;
  return knex(moduleTables.tables.tokens)
    .select({ ...TOKEN_COLUMNS, ...FURTHER_COLUMNS, ...lastUseColumns(moduleTables) })
    .select({ clock: knex.raw(dialect.now) });
}

/** Reads the database's clock within a transaction. @internal */
export async function readClock({ session, database }: TokenTransaction): Promise<number> {
  const [row] = await session.rows(`SELECT ${database.dialect.now} AS clock`);
  return integer(row?.clock);
}

/** Locks the row of a token until the transaction ends, and returns it; null if it does not exist. */
export async function lockToken(change: TokenTransaction, id: number): Promise<TokenRecord | null> {
  const read = () => change.session.run(() => selectTokens(change).where({ id }).forUpdate());
  await read();
  // The first statement may have waited for the lock. Its clock is of before, and the token may have expired since.
  const [row] = await read();
  return row ? tokenRecord(row) : null;
}
