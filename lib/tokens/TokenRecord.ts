import type { Origin } from '../audit/AuditLog';
import { InvalidInput } from '../errors/InvalidInput';
import type { Scope } from '../fields/Operation';
import type { CustomerBounds } from '../settings/Settings';
import { rfc3339OfSeconds } from '../time/time';

/** A stored token, without its hash. All times are seconds since 1970, by the database's clock. */
export interface TokenRecord {
  readonly id: number;
  readonly name: string;
  /** What the administrators noted about it, in one or more lines; null if nothing. */
  readonly note: string | null;
  /** The token's first characters, to recognize it by. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** The account whose rows the token may read, the first if there are several; null for all accounts. */
  readonly accountId: string | null;
  /** All accounts whose rows the token may read; empty for all of the panel. */
  readonly accounts: readonly BoundAccount[];
  /** Whether the token may also read the rows of the accounts whose `owner_id` is its account. */
  readonly owner: boolean;
  /** The addresses and networks (CIDR) that the token may be used from; empty for any. */
  readonly allowedAddresses: readonly string[];
  /** Maximum requests per window; null if the general limit applies. */
  readonly rateLimit: number | null;
  /** The id of the first token in its line of rotations; its own id if it replaced none. */
  readonly lineage: number;
  /** When it was rotated; null if it was not. */
  readonly rotatedAt: number | null;
  readonly createdAt: number;
  /** The actor of the author that created it. */
  readonly createdBy: string;
  /**
   * Through what it was created; after a rotation, the first of its line. That of an account's token changes if another
   * author binds it to other accounts. Null if an earlier version has created it.
   */
  readonly origin: Origin | null;
  /** When it expires; null if never. */
  readonly expiresAt: number | null;
  /** When it was last used; null if never. */
  readonly lastUsedAt: number | null;
  /** The client's address of the last use; null if never used, or if the setting `last_used_address` is off. */
  readonly lastUsedAddress: string | null;
  /** When it was revoked; null if it is not. */
  readonly revokedAt: number | null;
  /** The actor of the author that revoked it; null if it is not revoked. */
  readonly revokedBy: string | null;
  /** The state at `readAt`. A revoked token stays `revoked` after its expiry. */
  readonly state: 'active' | 'expired' | 'revoked';
  /** Raised by every update, extension and rotation. */
  readonly version: number;
  /** When the record was read. */
  readonly readAt: number;
}

/** An account of a token, with what made it itself when the token was bound to it: its id may be given to another one. */
export interface BoundAccount {
  readonly id: string;
  /** Its `created_at` in the list of accounts; null if it was unknown. */
  readonly createdAt: string | null;
  /** Its `username` there; null if it was unknown. */
  readonly username: string | null;
}

/** An account as the list of accounts shows it now; always `served` if the panel has no list. */
export interface PresentAccount {
  readonly state: 'served' | 'suspended' | 'gone';
  readonly account: BoundAccount;
}

/**
 * A token as its account may see it. Who created and revoked it is left out: `createdBy` is empty, and `revokedBy` null. So
 * is its `note`, which administrators may have written. If it is not the account's own, so are `lastUsedAddress`, its line
 * of rotations (`lineage` is its own id) and, unless the setting `administrators_tokens` shows it, its `name`.
 */
export interface AccountToken extends TokenRecord {
  /** Whether the account has created it, as an author of the origin `account-section`. */
  readonly isOwn: boolean;
  /** Whether the account may revoke it. */
  readonly isRevocable: boolean;
}

/** The tokens that an account may see, and the account as the list of accounts shows it now. */
export interface AccountTokens extends PresentAccount {
  /** What the settings allow the account. */
  readonly bounds: CustomerBounds;
  /** Newest first. */
  readonly tokens: readonly AccountToken[];
}

/** Whether the account that is shown is the one that a token was bound to. */
export function isSameAccount(bound: BoundAccount, shown: BoundAccount): boolean {
  if (bound.createdAt !== null && shown.createdAt !== null) return bound.createdAt === shown.createdAt;
  return bound.username !== null && bound.username === shown.username;
}

/** The properties of a token that bind it to accounts. */
export type Binding = Pick<TokenRecord, 'accountId' | 'accounts' | 'owner'>;

export function bindingTo(accounts: readonly BoundAccount[], owner = false): Binding {
  return { accountId: accounts[0]?.id ?? null, accounts, owner };
}

/** What a request needs of its token. */
export type RequestToken = Omit<
  TokenRecord,
  'note' | 'lineage' | 'origin' | 'revokedBy' | 'version' | 'lastUsedAt' | 'lastUsedAddress'
>;

/** The properties of a token that an administrator chooses. */
export type TokenProperties = Pick<
  TokenRecord,
  'name' | 'note' | 'scopes' | 'allowedAddresses' | 'rateLimit' | 'expiresAt' | keyof Binding
>;

/** A token to create. */
export interface TokenRequest {
  /** The token's name: 1 to 128 characters that hold no token and no control character. */
  readonly name: string;
  /**
   * Anything to remember about the token, in one or more lines: at most 500 characters that hold no token and no other
   * control character. Default: nothing.
   */
  readonly note?: string;
  /** One or more of the endpoints' scopes, or `*` for all. */
  readonly scopes: readonly Scope[];
  /**
   * The id of the only account whose rows the token may read: an integer, or a text of 1 to 128 characters that holds no
   * token and no control character. It is stored as text: 7 and `'7'` are the same account, `'007'` is another. The list
   * of accounts must have it, if the panel has one. Default: all accounts, and not for `undefined` or `null`, which are
   * refused.
   */
  readonly accountId?: string | number | bigint;
  /** The ids of several accounts instead of `accountId`, at most 100. */
  readonly accountIds?: readonly (string | number | bigint)[];
  /**
   * Whether the token may also read the rows of the accounts whose `owner_id` is `accountId`, such as those of a reseller's
   * customers: at most 10,000, and more in lists of tables with ids of whole numbers. Default false.
   */
  readonly owner?: boolean;
  /**
   * The IPv4 and IPv6 addresses and networks that the token may be used from, at most 100. A network is written with its
   * first address: `192.0.2.7/24` is refused. IPv4 within IPv6 counts as IPv4, so that `::/0` allows IPv6 alone. A
   * request without an address, such as one over a Unix socket, matches none. Default: any.
   */
  readonly allowedAddresses?: readonly string[];
  /** Maximum requests per window, 1 to 1,000,000,000. Default: the general limit. */
  readonly rateLimit?: number;
  /** Seconds until the token expires, by the database's clock. Default: the setting `default_expiry_days`. */
  readonly expiresInSeconds?: number;
  /**
   * When the token expires, in seconds since 1970, instead of `expiresInSeconds`; null for never. The setting
   * `max_expiry_days` refuses a later expiry, and null.
   */
  readonly expiresAt?: number | null;
  /**
   * A key of 1 to 64 visible ASCII characters that identifies this request. A second request with the same key throws
   * DuplicateRequest and creates no token.
   */
  readonly idempotencyKey?: string;
}

/** When a token is to expire. */
export interface Expiry {
  /** When the token expires, in seconds since 1970; null for never. */
  readonly expiresAt?: number | null;
  /** Seconds from now until the token expires, instead of `expiresAt`. */
  readonly expiresInSeconds?: number;
}

/**
 * The accounts that a change names, which are looked up: the token is bound to those that have these ids now. `owner` only
 * together with `accountId`.
 */
export interface NamedAccounts extends Pick<TokenRequest, 'accountIds' | 'owner'> {
  /** As in TokenRequest; null for all accounts. Without `owner`, the token may not read the accounts that it owns. */
  readonly accountId?: string | number | bigint | null;
}

/** The extension of a token: its new expiry. */
export interface TokenExtension extends Expiry {
  /** The version that this is based on. If the token has another one by now, StaleToken is thrown. */
  readonly version?: number;
}

/** The changes of a token. Only the properties that are present are changed. Empty `allowedAddresses` mean any. */
export interface TokenChanges
  extends NamedAccounts,
    TokenExtension,
    Partial<Pick<TokenRequest, 'name' | 'scopes' | 'allowedAddresses'>> {
  /** As in TokenRequest; null for nothing. */
  readonly note?: string | null;
  /** As in TokenRequest; null for the general limit. */
  readonly rateLimit?: number | null;
}

/** What a duplicate has other than the original. */
export interface DuplicationRequest
  extends Omit<TokenChanges, 'version'>,
    Pick<TokenRequest, 'idempotencyKey'> {}

/** How to rotate a token. Without an expiry, the new token expires when the old one would have. */
export interface RotationRequest extends Expiry {
  /**
   * How long the old token stays active, in seconds: 300 (5 minutes) to 2,592,000 (30 days), and never longer than its own
   * expiry.
   */
  readonly graceSeconds: number;
  /** As in TokenRequest. */
  readonly idempotencyKey?: string;
}

/** A new token, which is shown only once. */
export interface CreatedToken {
  /** The plain token. The module does not store it. */
  readonly token: string;
  readonly record: TokenRecord;
}

/** The new token of a rotation, which is shown only once. */
export interface RotatedToken extends CreatedToken {
  /** The old token's record, with its new expiry. */
  readonly previous: TokenRecord;
}

/** The token was changed since the version that the changes are based on. Nothing was written. */
export class StaleToken extends InvalidInput {
  /** The token as it is now. */
  readonly current: TokenRecord;

  constructor(current: TokenRecord) {
    super('version', `Token ${current.id} was changed in the meantime.`);
    this.name = 'StaleToken';
    this.current = current;
  }
}

/** A token was already created with the same idempotency key. The plain token is not shown again. */
export class DuplicateRequest extends InvalidInput {
  /** The id of the token that was created. */
  readonly tokenId: number;

  constructor(tokenId: number) {
    super(
      'idempotencyKey',
      `A request with this idempotency key already created token ${tokenId}. A token is shown only once.`,
    );
    this.name = 'DuplicateRequest';
    this.tokenId = tokenId;
  }
}

/** These properties as the audit trail names them. */
export function auditedProperties(token: TokenProperties) {
  return {
    name: token.name,
    note: token.note,
    scopes: token.scopes,
    account_id: token.accountId,
    accounts: token.accounts.map(accountText),
    owner: token.owner || null,
    allowed_addresses: token.allowedAddresses,
    rate_limit: token.rateLimit,
    expires_at: rfc3339OfSeconds(token.expiresAt),
  };
}

/** The properties by which the audit entry of a token's end names it. */
export function identifyingProperties(token: TokenProperties) {
  const { name, account_id, accounts, owner } = auditedProperties(token);
  return { name, account_id, accounts, owner };
}

/** An account of a token with what makes it itself, in words. */
export function accountText({ id, createdAt, username }: BoundAccount): string {
  return [id, username, createdAt].filter(Boolean).join(' ');
}

/** The properties that differ, as the audit trail names them, each with its values before and after. */
export function changesOf(before: TokenProperties, after: TokenProperties) {
  const changed = new Map(Object.entries(auditedProperties(after)));
  return Object.fromEntries(
    Object.entries(auditedProperties(before))
      .map(([name, from]) => [name, { from, to: changed.get(name) }] as const)
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  );
}
