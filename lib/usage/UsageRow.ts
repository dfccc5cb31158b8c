/** The days of the sums, and of the totals of all tokens, today included. */
export const TOTAL_DAYS = 30;

/** The days to return. */
export interface UsagePeriod {
  /** Number of days including today, 1 to 3651. Default 30. */
  readonly days?: number;
}

/** The number of requests of one or more tokens on one day, at one endpoint, with one class of statuses. */
export interface UsageRow {
  /** The day in UTC, by the database's clock, such as `2026-06-12`. */
  readonly day: string;
  /** The endpoint's resource, such as `domains`; `other` for unknown paths. */
  readonly endpoint: string;
  /** The first digit of the status; 0 if the client disconnected before a status was sent. */
  readonly statusClass: StatusClass;
  readonly requests: number;
  /** When the last of them arrived, in seconds since 1970; null if it is unknown, as of all tokens together. */
  readonly lastAt: number | null;
}

/** The first digits of the API's statuses; 0 if the client disconnected before a status was sent. */
export const STATUS_CLASSES = [0, 2, 3, 4, 5] as const;

export type StatusClass = (typeof STATUS_CLASSES)[number];

/** Requests in a period, of all tokens together. */
export interface UsageTotal {
  readonly requests: number;
  /** Those of them that were answered with a status of 400 or above. */
  readonly errors: number;
}

/** A request of a token that was answered with an error. */
export interface TokenRefusal {
  readonly tokenId: number;
  /** Seconds since 1970, by the database's clock. */
  readonly at: number;
  /** The endpoint's resource, such as `domains`; `other` for unknown paths. */
  readonly endpoint: string;
  /** The code of the error, such as `scope_missing`. */
  readonly code: string;
  readonly requestId: string;
}
