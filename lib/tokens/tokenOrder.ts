import type { TokenRecord } from './TokenRecord';

/** Where a token stands among all: those that never expire, those that do, and those that were revoked. */
export interface Place {
  readonly section: 'everlasting' | 'expiring' | 'revoked';
  /** The time by which its section is sorted first; 0 where there is none. */
  readonly time: number;
  readonly id: number;
}

/** Tokens that stand together in an index, each range in the order of its index backwards. */
export interface Range {
  readonly fixed: Readonly<Record<string, number | null>>;
  readonly below?: readonly [column: string, value: number];
  readonly order: readonly string[];
}

// Later than every time of a token.
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

// PostgreSQL finds that an index has this order only if its first columns are named, although they are fixed.
const BY_EXPIRY = ['revoked_at', 'expires_at', 'id'];
const BY_REVOCATION = ['revoked_at', 'id'];

export function placeOf({ id, revokedAt, expiresAt }: TokenRecord): Place {
  if (revokedAt !== null) return { section: 'revoked', time: revokedAt, id };
  if (expiresAt !== null) return { section: 'expiring', time: expiresAt, id };
  return { section: 'everlasting', time: 0, id };
}

/**
 * What comes after a place, or from the beginning: the newest of those that never expire, then by expiry and by the
 * time of revocation, the latest first. Each range is read from one end in every database, whatever the others hold.
 */
export function rangesFrom(place: Place | null): readonly Range[] {
  const section = place?.section ?? 'everlasting';
  const [time, below] = place ? [place.time, { below: ['id', place.id] as const }] : [END_OF_TIME, {}];
  const revoked = (before: number): Range => ({
    fixed: {},
    below: ['revoked_at', before],
    order: BY_REVOCATION,
  });
  const expiring = (before: number): Range => ({
    fixed: { revoked_at: null },
    below: ['expires_at', before],
    order: BY_EXPIRY,
  });
  switch (section) {
    case 'everlasting':
      return [
        { fixed: { revoked_at: null, expires_at: null }, ...below, order: BY_EXPIRY },
        expiring(END_OF_TIME),
        revoked(END_OF_TIME),
      ];
    case 'expiring':
      return [
        { fixed: { revoked_at: null, expires_at: time }, ...below, order: BY_EXPIRY },
        expiring(time),
        revoked(END_OF_TIME),
      ];
    case 'revoked':
      return [{ fixed: { revoked_at: time }, ...below, order: BY_REVOCATION }, revoked(time)];
  }
}
