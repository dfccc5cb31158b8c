import { weakEtag } from '../json/etag';
import type { Pieces } from '../json/Pieces';

/** The `data` of an answer as a whole, to be sent any number of times. */
export interface WholeBody {
  /** JSON text. */
  readonly json: string;
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

/** A whole of JSON text, which may come in parts: it is put together only when it is sent. */
export function wholeBody(parts: string | readonly string[], nextCursor?: string | null): WholeBody {
  const texts = [parts].flat();
  const body = { json: texts.reduce((json, part) => json + part), etag: weakEtag(...texts) };
  return nextCursor === undefined ? body : { ...body, nextCursor };
}
