/** The longest time for which counts may be kept: ten years, in days. */
export const MOST_KEPT_DAYS = 3650;
