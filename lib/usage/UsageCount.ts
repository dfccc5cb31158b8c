import type { StatusClass } from './statusClass';

/** What a request is counted under. */
export interface UsageKey {
  readonly tokenId: number;
  /** Whole days since 1970 in UTC, by the database's clock. */
  readonly day: number;
  /** The resource that was asked for, or OTHER. */
  readonly endpoint: string;
  readonly statusClass: StatusClass;
}

/** How many requests there were under a key. */
export interface UsageCount extends UsageKey {
  readonly requests: number;
}

/** The one name of every path that is no endpoint. */
export const OTHER = 'other';
