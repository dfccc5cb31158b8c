import { isCovered } from '../addresses/addresses';
import { EVERY_SCOPE, grants, isServerWide, type Operation } from '../fields/Operation';
import { DAY_SECONDS } from '../time/time';
import { TOTAL_DAYS, type UsageRow } from '../usage/UsageRow';
import {
  accountText,
  type auditedProperties,
  type RequestToken,
  type TokenProperties,
  type TokenRecord,
} from './TokenRecord';

/** An active token that ends within 14 days is `expiring`: see `isExpiring`. */
export const EXPIRING_SECONDS = 14 * DAY_SECONDS;

/** An active token that was not used for 90 days is `unused`. */
export const UNUSED_SECONDS = 90 * DAY_SECONDS;

/** An active token that was over its limit in the last 7 days needs attention. */
export const LIMITED_SECONDS = 7 * DAY_SECONDS;

/** Why an administrator should review an active token. */
export type TokenWarning = 'expiring' | 'everlasting' | 'wildcard' | 'unused';

/** Whether the token is active and expires within this time. */
export function endsWithin({ state, expiresAt, readAt }: RequestToken, seconds: number): boolean {
  return state === 'active' && expiresAt !== null && expiresAt <= readAt + seconds;
}

/**
 * Whether a token needs attention because it expires within this time: no other has replaced it, and its whole life is
 * more than twice as long, or a rotation made it short. `tokenFilters.ts` has the same rule as SQL.
 */
export function isExpiring(
  token: RequestToken,
  seconds: number,
  isReplaced = token.rotatedAt !== null,
): boolean {
  const { createdAt, expiresAt, rotatedAt } = token;
  const isLong = rotatedAt !== null || Number(expiresAt) - createdAt > 2 * seconds;
  return !isReplaced && isLong && endsWithin(token, seconds);
}

/** The lines of rotations with a token that replaces the others: it was neither rotated nor revoked. */
export function continuedLines(tokens: readonly TokenRecord[]): ReadonlySet<number> {
  const heads = tokens.filter(({ state, rotatedAt }) => state !== 'revoked' && rotatedAt === null);
  return new Set(heads.map(({ lineage }) => lineage));
}

/**
 * The newest active token of a line, the newest first, if it was rotated, expires, and no token replaces it. `revoked` are
 * the ids of tokens that are about to be revoked.
 */
export function leftOver(
  lineage: readonly TokenRecord[],
  revoked: readonly number[] = [],
): TokenRecord | null {
  const others = lineage.filter(({ id }) => !revoked.includes(id));
  if (continuedLines(others).size > 0) return null;
  return others.find(({ state, expiresAt }) => state === 'active' && expiresAt !== null) ?? null;
}

/** Whether the token is active and was not used for this time. */
export function isUnused({ state, lastUsedAt, createdAt, readAt }: TokenRecord, seconds: number): boolean {
  return state === 'active' && (lastUsedAt ?? createdAt) < readAt - seconds;
}

/** The warnings about one token; none if it is expired or revoked. */
export function tokenWarnings(token: TokenRecord): readonly TokenWarning[] {
  if (token.state !== 'active') return [];
  const isOf: Readonly<Record<TokenWarning, boolean>> = {
    expiring: isExpiring(token, EXPIRING_SECONDS),
    everlasting: token.expiresAt === null,
    wildcard: token.scopes.includes(EVERY_SCOPE),
    unused: isUnused(token, UNUSED_SECONDS),
  };
  return (Object.keys(isOf) as TokenWarning[]).filter((warning) => isOf[warning]);
}

/**
 * How the rows of 30 days used a token: how many requests `per` day of use or, if they are fewer than 30, in all; and the
 * endpoints, the most used first. Requests that were refused, such as those of unknown paths, are no use.
 */
export function usualUse(rows: readonly UsageRow[]) {
  const served = rows.filter(({ statusClass }) => statusClass !== 4);
  const sums = new Map<string, number>();
  for (const { endpoint, requests } of served) sums.set(endpoint, (sums.get(endpoint) ?? 0) + requests);
  const endpoints = [...sums].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
  const total = [...sums.values()].reduce((sum, requests) => sum + requests, 0);
  const days = new Set(served.map(({ day }) => day)).size;
  const per = total === 0 ? 'never' : total < TOTAL_DAYS ? 'month' : 'day';
  return { per, count: per === 'day' ? Math.round(total / days) : total, endpoints } as const;
}

/** Whether a token would no longer be served this endpoint after a change of its rights. */
export function losesEndpoint(before: Rights, after: Rights, endpoint: Operation): boolean {
  const [wasServed, isServed] = [before, after].map(
    ({ scopes, accounts }) => grants(scopes, endpoint) && !(accounts.length > 0 && isServerWide(endpoint)),
  );
  return wasServed === true && !isServed;
}

/** The addresses and networks that a token could be used from before a change, and from no part of them after it. */
export function placesOutside(places: readonly string[], before: Rights, after: Rights): readonly string[] {
  const isAllowed = (place: string, rights: Rights) => isCovered([place], rights.allowedAddresses);
  const isPart = (place: string) => after.allowedAddresses.some((entry) => isCovered([entry], [place]));
  return places.filter((place) => isAllowed(place, before) && !isAllowed(place, after) && !isPart(place));
}

/** Whether an expiry is later than another. Null, which is never, is the latest. */
export function isLater(expiry: number | null, other: number | null): boolean {
  return other !== null && (expiry === null || expiry > other);
}

type Rights = Omit<TokenProperties, 'name' | 'note' | 'accountId'>;

/** Whether a token with this binding reads no account that it does not read with the other one. */
function isBoundWithin(after: Pick<Rights, 'accounts' | 'owner'>, before: typeof after): boolean {
  const known = new Set(before.accounts.map(accountText));
  const isKnown = after.accounts.length > 0 && after.accounts.every((one) => known.has(accountText(one)));
  return isKnown && (before.owner || !after.owner);
}

/** A property that is a right, by its name in the audit trail. */
export type WidenedRight = Exclude<keyof ReturnType<typeof auditedProperties>, 'name' | 'note'>;

/**
 * The rights that a token has more of after a change. `generalLimit` is the rate limit of tokens without their own;
 * without it, a change between an own limit and the general one counts as wider.
 */
export function widenedRights(before: Rights, after: Rights, generalLimit?: number): readonly WidenedRight[] {
  const limits = [before, after].map(({ rateLimit }) => rateLimit ?? generalLimit);
  const [limitBefore = Number.NaN, limitAfter = Number.NaN] = limits;
  const readsMore = before.accounts.length > 0 && !isBoundWithin(after, before);
  const isOf: Readonly<Record<WidenedRight, boolean>> = {
    scopes:
      !before.scopes.includes(EVERY_SCOPE) && after.scopes.some((scope) => !before.scopes.includes(scope)),
    account_id: readsMore,
    accounts: readsMore,
    owner: readsMore,
    allowed_addresses: !isCovered(after.allowedAddresses, before.allowedAddresses),
    rate_limit: before.rateLimit !== after.rateLimit && !(limitAfter <= limitBefore),
    expires_at: isLater(after.expiresAt, before.expiresAt),
  };
  return (Object.keys(isOf) as WidenedRight[]).filter((right) => isOf[right]);
}
