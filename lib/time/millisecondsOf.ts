/** Milliseconds since 1970 of a time in the API's form; NaN for whatever is none. */
export function millisecondsOf(time: unknown): number {
  return typeof time === 'string' ? Date.parse(time) : Number.NaN;
}
