import { isCovered } from '../addresses/addresses';
import { isChange } from '../audit/auditTexts';
import { type Binding, bindingTo, type TokenProperties } from '../tokens/TokenRecord';
import type { LoggedEntry } from './loggedEntries';

/** The properties of a token that are its rights, with their names in the audit trail. */
const RIGHTS = [
  ['scopes', 'scopes'],
  ['accounts', 'accounts'],
  ['owner', 'owner'],
  ['allowedAddresses', 'allowed_addresses'],
  ['rateLimit', 'rate_limit'],
  ['expiresAt', 'expires_at'],
] as const;

export type Rights = Pick<TokenProperties, (typeof RIGHTS)[number][0]>;

/** The rights of a token that the lost entries about it have changed, as they were at last. */
export function lostRights(entries: readonly LoggedEntry[]): Partial<Rights> {
  const last = entries.at(-1)?.token;
  const isChanged = (name: string) =>
    entries.some(({ action, details }) =>
      action === 'token.rotated' ? name === 'expires_at' : isChange(details[name]),
    );
  const changed = RIGHTS.filter(([, name]) => isChanged(name));
  return last ? Object.fromEntries(changed.map(([property]) => [property, last[property]])) : {};
}

/**
 * Returns what narrows a token of a restored database to what it also had at last, so that it gains nothing; null if that
 * leaves nothing that it may read. Its addresses are those that it had at last, unless those now are stricter.
 */
export function narrowedTo(now: Rights, lost: Partial<Rights>): Partial<TokenProperties> | null {
  const last = { ...now, ...lost };
  const scopes = commonScopes(now.scopes, last.scopes);
  const binding = commonBinding(now, last);
  if (scopes.length === 0 || binding === null) return null;
  const isStricter = isCovered(now.allowedAddresses, last.allowedAddresses);
  return {
    scopes,
    ...binding,
    allowedAddresses: (isStricter ? now : last).allowedAddresses,
    rateLimit: lower(now.rateLimit, last.rateLimit),
    expiresAt: lower(now.expiresAt, last.expiresAt),
  };
}

function commonScopes(now: readonly string[], last: readonly string[]): readonly string[] {
  if (last.includes('*')) return now;
  return now.includes('*') ? last : now.filter((scope) => last.includes(scope));
}

/** No account means all. Null if both have accounts, and none in common. */
function commonBinding(now: Rights, last: Rights): Binding | null {
  const [bound, other] = now.accounts.length === 0 ? [last, now] : [now, last];
  if (other.accounts.length === 0) return bindingTo(bound.accounts, bound.accounts.length > 0 && bound.owner);
  const ids = other.accounts.map(({ id }) => id);
  const shared = bound.accounts.filter(({ id }) => ids.includes(id));
  return shared.length === 0 ? null : bindingTo(shared, now.owner && last.owner);
}

/** The lower one of two limits, of which null is none. */
function lower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
