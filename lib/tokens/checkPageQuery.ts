import { InvalidInput } from '../errors/InvalidInput';
import { decodePlace } from './pageCursor';
import type { Place } from './tokenOrder';

const MOST_TOKENS = 1000;
const LONGEST_SEARCH = 128;

export interface TokenPageQuery {
  /** How many tokens at most: 1 to 1,000; 50 by default. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Part of the name or the beginning of the token, in capitals or not, or `#` and the id. Empty: all tokens. */
  readonly search?: string;
}

interface CheckedPageQuery {
  readonly limit: number;
  readonly after: Place | null;
  readonly search: string;
}

/** Settles what is asked of a page. Throws InvalidInput, naming what is wrong. */
export function checkPageQuery({ limit = 50, cursor, search: given = '' }: TokenPageQuery): CheckedPageQuery {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_TOKENS) {
    throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_TOKENS}.`);
  }
  if (typeof given !== 'string' || given.length > LONGEST_SEARCH || given.includes('\0')) {
    throw new InvalidInput('search', `The search must be text of at most ${LONGEST_SEARCH} characters.`);
  }
  const search = given.trim().toWellFormed();
  const after = cursor === undefined ? null : decodePlace(cursor, search);
  if (cursor !== undefined && after === null) {
    throw new InvalidInput('cursor', 'The cursor is none of this list.');
  }
  return { limit, after, search };
}
