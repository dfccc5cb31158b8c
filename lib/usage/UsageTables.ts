import type { OwnTable } from '../database/migrations/Migrations';

/** The tables of the counts: `table` has those by token, day, endpoint and status. */
export interface UsageTables extends OwnTable {
  /** The name of the table of the totals by hour. */
  readonly hours: string;
  /** The name of the table of the sums by token. */
  readonly sums: string;
  /** The name of the table of the refusals. */
  readonly refusals: string;
}
