import type { Pieces } from '../json/Pieces';
import type { WholeBody } from './WholeBody';

/** The `data` of an answer: a whole or, where it is long, pieces of JSON text. */
export type Body =
  | WholeBody
  | {
      /** Whoever does not read them to their end calls `return`. */
      readonly pieces: Pieces;
    };
