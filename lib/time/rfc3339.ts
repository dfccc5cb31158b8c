/**
 * The one form of a time in the API: RFC 3339, whole seconds, offset `+00:00` (contract, section 4).
 * Null for what lies outside the years 1 to 9999, which the form cannot hold.
 */
export function rfc3339(time: Date): string | null {
  const year = time.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) return null;
  return `${time.toISOString().slice(0, 19)}+00:00`;
}

/** The same for seconds since 1970-01-01, as the module's own tables keep them. */
export function rfc3339OfSeconds(seconds: number): string;
export function rfc3339OfSeconds(seconds: number | null): string | null;
export function rfc3339OfSeconds(seconds: number | null): string | null {
  return seconds === null ? null : rfc3339(new Date(seconds * 1000));
}
