/** Which numbers are taken for milliseconds: seconds reach this in the year 5138, milliseconds reached it in 1973. */
export const FIRST_MILLISECONDS = 1e11;
