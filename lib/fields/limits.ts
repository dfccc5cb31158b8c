/** Returns the name of the field that says how much of this limit is used; null if the field is no limit. */
export function usedOf(limit: string): string | null {
  if (limit === 'quota_bytes') return 'used_bytes';
  if (limit === 'max_attempts') return 'attempts';
  if (limit === 'size_limit_bytes') return 'size_bytes';
  if (limit.endsWith('_limit')) return limit.replace(/limit$/, 'count');
  return limit.endsWith('_limit_bytes') ? limit.replace('_limit_', '_used_') : null;
}

/** Whether the field is a limit, in which null means no limit. */
export function isLimit(field: string): boolean {
  return usedOf(field) !== null || field === 'send_limit_per_day';
}

/** The share of a limit from which it is nearly used up. */
const NEARLY = 0.9;

/** Whether a row has used up nearly all of this limit. A limit that is null or 0 is none. */
export function isNearlyUsed(row: Readonly<Record<string, unknown>>, limit: string): boolean {
  const most = Number(row[limit] ?? 0);
  return most > 0 && Number(row[usedOf(limit) ?? ''] ?? 0) >= NEARLY * most;
}
