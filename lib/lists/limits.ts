/** Rows of a page where the request does not say how many. */
export const DEFAULT_LIMIT = 100;

/** The most rows that a page may have. */
export const MOST_ROWS = 1000;

/** The most values that a filter may have. */
export const MOST_VALUES = 100;
