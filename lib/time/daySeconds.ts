/** The length of a day, in seconds; UTC knows no other. */
export const DAY_SECONDS = 86_400;
