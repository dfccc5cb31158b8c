/** How often each token's window was counted up, and what that came to. */
export interface CountedHits {
  /** The id of the token; it may be missing where there was only one. */
  readonly token?: number;
  readonly hits: number;
  readonly secondsLeft: number;
}

/**
 * SQL that adds hits to the windows of tokens, by the database's clock, and tells what they came to. Its bindings are
 * `:window`, the length of the windows in seconds, and a token's id and hits as `:token0` and `:hits0`, and so on.
 */
export interface CountHits {
  /** The statement that adds to the windows of so many tokens; the length is for where no binding can stand. */
  addSql(table: string, tokens: number, windowSeconds: number): string;
  /**
   * The statement that reads what was added to, in the same transaction, where the first one did not tell it; null where
   * every server's tells it for so many tokens.
   */
  readSql(table: string, tokens: number): string | null;
  /** What the result of either statement says; fewer than the tokens where it does not tell of all. */
  read(result: unknown): readonly CountedHits[];
}
