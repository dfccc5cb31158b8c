import { weakEtag } from '../json/etag';
import type { Pieces } from '../json/Pieces';

/** The `data` of an answer as a whole, to be sent any number of times. */
export interface WholeBody {
  /**
   * JSON text in UTF-8, in parts that follow one another. They lie outside of the heap: an answer that has waited long
   * for its turn is kept long there, with all that it holds.
   */
  readonly json: readonly Buffer[];
  readonly etag: string;
  /** The cursor of the next page; null on the last, undefined where there are no pages. */
  readonly nextCursor?: string | null;
}

/** The `data` of an answer: a whole or, where it is long, pieces of JSON text. */
export type Body =
  | WholeBody
  | {
      /** Whoever does not read them to their end calls `return`. */
      readonly pieces: Pieces;
    };

/** A whole of JSON text, in parts that follow one another. */
export function wholeBody(texts: readonly string[], nextCursor?: string | null): WholeBody {
  const json = texts.map((text) => Buffer.from(text));
  const body = { json, etag: weakEtag(json) };
  return nextCursor === undefined ? body : { ...body, nextCursor };
}
