import type { JsonSchema } from '../json/JsonSchema';

export type Row = Readonly<Record<string, unknown>>;

/** What a source can give in the live database. */
export interface SourceReport {
  /** `off` where the panel says that it has no such data. */
  readonly state: 'served' | 'missing' | 'off';
  /** Why the resource cannot be served; empty when it can. */
  readonly missing: readonly string[];
  /** What was asked for and is not there, without which the resource is served all the same. */
  readonly warnings: readonly string[];
  /** The schema of an item with exactly the fields that are served. */
  readonly itemSchema: JsonSchema;
}

/** Where the items of a list come from. */
export interface Source {
  /** Looks afresh at what is there. */
  inspect(): Promise<SourceReport>;
  /** What the last look found; looks when there was none. */
  report(): Promise<SourceReport>;
  /** Reads a single item, to see whether the source answers. */
  probe(): Promise<void>;
  /** Every item in the order of its key. Throws ApiError `resource_unavailable` where the source is missing. */
  rows(): Promise<readonly Row[]>;
}
