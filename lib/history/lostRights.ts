import { isCovered } from '../addresses/addresses';
import { isChange } from '../audit/auditTexts';
import type { AuditLine } from '../audit/Journal';
import { type BoundAccount, bindingTo, type TokenProperties, type TokenRecord } from '../tokens/TokenRecord';
import { rightsIn } from '../tokens/tokenRows';
import { isLater } from '../tokens/tokenWarnings';

/** The rights of a token at the end of the history that is lost. */
type LastRights = Pick<
  TokenProperties,
  'scopes' | 'accounts' | 'owner' | 'allowedAddresses' | 'rateLimit' | 'expiresAt'
>;

/** The properties that the audit trail calls by these names. */
const PROPERTIES: Readonly<Record<string, keyof LastRights>> = {
  scopes: 'scopes',
  accounts: 'accounts',
  owner: 'owner',
  allowed_addresses: 'allowedAddresses',
  rate_limit: 'rateLimit',
  expires_at: 'expiresAt',
};

/** The rights of a token that the lost entries about it have changed, as they were at last. */
export function lostRights(lines: readonly AuditLine[]): Partial<LastRights> {
  const last = lines.at(-1)?.rights;
  if (!last) return {};
  const rights: LastRights = rightsIn(last);
  const changed = lines.flatMap(({ action, details }) =>
    action === 'token.rotated'
      ? ['expires_at']
      : Object.keys(details).filter((name) => isChange(details[name])),
  );
  const properties = changed.flatMap((name) => PROPERTIES[name] ?? []);
  return Object.fromEntries(properties.map((property) => [property, rights[property]]));
}

/**
 * Returns what narrows a token of a restored database to what it also had at last, so that it gains nothing; null if that
 * leaves nothing that it may read. Its addresses and its limit are those that it had at last, unless those now are stricter.
 */
export function narrowedTo(now: TokenRecord, lost: Partial<LastRights>): Partial<TokenProperties> | null {
  const last = { ...now, ...lost };
  const scopes = common(now.scopes, last.scopes);
  const accounts = commonAccounts(now, last);
  if (scopes.length === 0 || accounts === null) return null;
  const { allowedAddresses, rateLimit, expiresAt } = now;
  const isStricter = isCovered(allowedAddresses, last.allowedAddresses);
  const isLower = last.rateLimit !== null && (rateLimit === null || last.rateLimit < rateLimit);
  return {
    scopes,
    ...bindingTo(accounts, accounts.length > 0 && ownerOf(now, last)),
    allowedAddresses: isStricter ? allowedAddresses : last.allowedAddresses,
    rateLimit: isLower ? last.rateLimit : rateLimit,
    expiresAt: isLater(expiresAt, last.expiresAt) ? last.expiresAt : expiresAt,
  };
}

function common(now: readonly string[], last: readonly string[]): readonly string[] {
  if (last.includes('*')) return now;
  return now.includes('*') ? last : now.filter((scope) => last.includes(scope));
}

/** No account means all. Null if both have accounts, and none in common. */
function commonAccounts(now: LastRights, last: LastRights): readonly BoundAccount[] | null {
  if (last.accounts.length === 0) return now.accounts;
  if (now.accounts.length === 0) return last.accounts;
  const ids = last.accounts.map(({ id }) => id);
  const shared = now.accounts.filter(({ id }) => ids.includes(id));
  return shared.length === 0 ? null : shared;
}

function ownerOf(now: LastRights, last: LastRights): boolean {
  if (now.accounts.length === 0) return last.owner;
  return now.owner && (last.owner || last.accounts.length === 0);
}
