import type { TokenRecord } from './TokenRecord';

/** The parts of the list of tokens, in their order. */
export const SECTIONS = ['everlasting', 'expiring', 'revoked'] as const;

/** Where a token stands among all: those that never expire, those that do, and those that were revoked. */
export interface Place {
  readonly section: (typeof SECTIONS)[number];
  /** The time by which its section is sorted first; 0 where there is none. */
  readonly time: number;
  readonly id: number;
}

/** Tokens that stand together in an index, in its order backwards. */
export interface Range {
  readonly index: 'expiry' | 'revoked';
  /** The index's first columns. */
  readonly fixed: Readonly<Record<string, number | null>>;
  /** The rest of them. */
  readonly order: readonly string[];
  /** Where it begins, in the first column of the order. */
  readonly below?: number;
}

// Later than every time of a token.
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

const revoked = (below: number): Range => ({
  index: 'revoked',
  fixed: {},
  order: ['revoked_at', 'id'],
  below,
});

const expiring = (below: number): Range => ({
  index: 'expiry',
  fixed: { revoked_at: null },
  order: ['expires_at', 'id'],
  below,
});

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
  const order = ['id'];
  const begun = place ? { order, below: place.id } : { order };
  const time = place?.time ?? 0;
  switch (place?.section ?? 'everlasting') {
    case 'everlasting':
      return [
        { index: 'expiry', fixed: { revoked_at: null, expires_at: null }, ...begun },
        expiring(END_OF_TIME),
        revoked(END_OF_TIME),
      ];
    case 'expiring':
      return [
        { index: 'expiry', fixed: { revoked_at: null, expires_at: time }, ...begun },
        expiring(time),
        revoked(END_OF_TIME),
      ];
    case 'revoked':
      return [{ index: 'revoked', fixed: { revoked_at: time }, ...begun }, revoked(time)];
  }
}
