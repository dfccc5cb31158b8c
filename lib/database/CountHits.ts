/** How often each token's window was counted up, and what that came to. */
export interface CountedHits {
  /** The id of the token; it may be missing where there was only one. */
  readonly token?: number;
  readonly hits: number;
  readonly secondsLeft: number;
}

/** Hits to add, by the ids of their tokens, in the order of the ids. */
export type AddedHits = ReadonlyMap<number, number>;

/**
 * SQL that adds hits to the windows of tokens, by the database's clock, and tells what they came to. All that goes into it
 * are safe integers, of which the caller has made sure: they stand in it as they are, because knex and the drivers take
 * several times as long for bindings.
 */
export interface CountHits {
  /** The statement that adds hits, by a clock that is so far ahead of the database's, if the dialect needs one. */
  addSql(table: string, added: AddedHits, windowSeconds: number, aheadSeconds: number): string;
  /**
   * The statement that reads what was added to, in the same transaction, where the first one did not tell it; null where
   * every server's tells it for so many tokens.
   */
  readSql(table: string, added: AddedHits, windowSeconds: number): string | null;
  /** What the result of either statement says; fewer than the tokens where it does not tell of all. */
  read(result: unknown): readonly CountedHits[];
}
