/** First digits of the statuses that the API answers with; 0 where the client left before there was one. */
export const STATUS_CLASSES = [0, 2, 3, 4, 5] as const;

export type StatusClass = (typeof STATUS_CLASSES)[number];

/** The class of a status; null is that of a request which was left before it had one. */
export function statusClass(status: number | null): StatusClass {
  const digit = Math.floor((status ?? 0) / 100);
  return STATUS_CLASSES.find((known) => known === digit) ?? 0;
}
