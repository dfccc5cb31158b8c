import type { Pieces } from '../json/Pieces';

/** The `data` of an answer, as JSON text or, where it is long, as pieces of one. */
export type Body =
  | {
      readonly json: string;
      /** The cursor of the next page; null on the last, undefined where there are no pages. */
      readonly nextCursor?: string | null;
    }
  | {
      /** Whoever does not read them to their end calls `return`. */
      readonly pieces: Pieces;
    };
