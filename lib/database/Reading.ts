import type { Run } from './Run';

/**
 * A series of reads that see the database as it was at one moment, over a connection that is held until `close`.
 * The caller that opens one closes it, whatever happens. After a statement that failed, the next one begins a new moment.
 */
export interface Reading {
  readonly run: Run;
  /** Gives the connection back. Never rejects, and does nothing the second time. */
  close(): Promise<void>;
}
