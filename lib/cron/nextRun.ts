import { Cron, CronPattern } from 'croner';

const MAX_LENGTH = 1000;
// Names only for months and days of the week, and of croner's own letters none: crond knows no `?`, L, W or #.
const FIVE_FIELDS = /^(?:[\d*,/-]+[ \t]+){3}[\da-z*,/-]+[ \t]+[\da-km-z*,/-]+$/i;
const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/**
 * When a crontab schedule is due next after `from`. Null where nobody can say: `@reboot`, a schedule that is
 * not five fields or a nickname, a day that never comes, an unknown time zone.
 *
 * @param timezone an IANA name; without one the process's own zone counts, as for crond
 */
export function nextRun(schedule: string, from: Date, timezone?: string | null): Date | null {
  if (schedule.length > MAX_LENGTH) return null;
  const trimmed = schedule.trim();
  const expression = NICKNAMES[trimmed.toLowerCase()] ?? trimmed;
  if (!FIVE_FIELDS.test(expression)) return null;
  const [, , dayOfMonth = '', , dayOfWeek = ''] = expression.split(/[ \t]+/);
  // Vixie cron's rule: either day suffices, unless one of the two fields begins with a star.
  const bothDays = dayOfMonth.startsWith('*') || dayOfWeek.startsWith('*');
  try {
    if (bothDays && /3[01]/.test(dayOfMonth) && neverComes(expression)) return null;
    // Paused: no timer. Lists and ranges of hours count as fixed when clocks change, close to Vixie cron.
    return new Cron(expression, {
      paused: true,
      mode: '5-part',
      fixedTimeRule: 'no-wildcard',
      domAndDow: bothDays,
      ...(timezone && { timezone }),
    }).nextRun(from);
  } catch {
    return null;
  }
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether only days such as 31 February are meant: croner would look for them over thousands of years. */
function neverComes(expression: string): boolean {
  const { day, month } = new CronPattern(expression, undefined, { mode: '5-part' });
  return !LONGEST_MONTHS.some((length, index) => month[index] && day.slice(0, length).some(Boolean));
}
