import {
  alwaysDerived,
  derived,
  filterable,
  flag,
  id,
  inForm,
  integer,
  masked,
  milliseconds,
  type ReadContext,
  type ReadRow,
  required,
  searchable,
  text,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/fields/Operation';
import { HIDDEN } from '../lib/masking/credentials';
import { maskCommand } from '../lib/masking/maskCommand';
import { millisecondsOf, rfc3339 } from '../lib/time/time';

const crontabSchedule = inForm({
  code: 'schedule',
  name: 'schedule that ever runs, of five fields or a nickname such as @daily',
  has: (text) => nextRun(text, new Date(), 'UTC') !== null || INTERVAL.test(text) || /^@reboot$/i.test(text),
});

/** The command, masked once for both fields that show it. */
const shownCommand = ({ command }: ReadRow, { once }: ReadContext) =>
  typeof command === 'string' ? once('command', command, () => maskCommand(command)) : null;

export const cron = listOperation({
  name: 'cron',
  tag: 'Jobs and scheduling',
  title: 'Scheduled tasks',
  item: 'ScheduledTask',
  description: 'Every task that the server runs on a schedule.',
  fields: {
    id: required(id('Identifier of the scheduled task.')),
    account_id: id('Identifier of the account that owns the task.', 'accounts'),
    website_id: id(
      'Identifier of the website that the task belongs to; null if it belongs to no website.',
      'websites',
    ),
    name: searchable(text('Display name of the task.')),
    schedule: required(
      crontabSchedule(
        text(
          'Schedule of the task: the five fields of a crontab, a nickname such as @daily, or an interval such as @every 90m.',
        ),
      ),
    ),
    timezone: text("IANA name of the schedule's time zone; null for that of the panel's process."),
    type: word('Type of the task: a command, a URL to request or a script.', ['command', 'url', 'script']),
    command: masked(
      alwaysDerived(
        text(
          'Command of the task, masked: it shows the first word of each command, paths, names of options and hosts. `…` ' +
            'replaces everything else, because it may be secret.',
        ),
        ['command'],
        shownCommand,
      ),
    ),
    command_masked: alwaysDerived(
      flag('Whether `…` replaces a part of `command`.'),
      ['command'],
      (row, context) => shownCommand(row, context)?.includes(HIDDEN) ?? null,
    ),
    run_as: filterable(text('Operating system user that runs the task.')),
    enabled: required(flag('Whether the task is enabled.')),
    last_run_at: time('Time of the last run; null if the task never ran.'),
    next_run_at: derived(
      time('Time of the next run; null while the task is disabled, or if the schedule determines no time.'),
      ['schedule', 'enabled'],
      (row, { now, once }) =>
        once('next_run_at', JSON.stringify([row.schedule, row.enabled, row.timezone, row.last_run_at]), () =>
          nextRunAt(row, now),
        ),
    ),
    last_status: word('Result of the last run.', ['succeeded', 'failed', 'running', 'never']),
    last_exit_code: integer('Exit code of the last run; null if the task never ran.'),
    last_duration_ms: milliseconds('Duration of the last run in milliseconds; null if the task never ran.'),
    created_at: time('Time when the task was created.'),
    updated_at: time('Time when the task was last changed.'),
  },
});

/** When a task is due next; null while it is not enabled, or if it is unknown. */
export function nextRunAt({ schedule, enabled, timezone, last_run_at }: ReadRow, now: Date): string | null {
  if (enabled !== true || typeof schedule !== 'string') return null;
  const [, number, unit = ''] = INTERVAL.exec(schedule) ?? [];
  if (number !== undefined)
    return rfc3339(
      new Date(millisecondsOf(last_run_at) + Number(number) * (UNIT_MS[unit.toLowerCase()] ?? 0)),
    );
  const next = nextRun(schedule, now, typeof timezone === 'string' ? timezone.trim() : null);
  return next && rfc3339(next);
}

const INTERVAL = /^\s*@every\s+0*([1-9]\d*)([smhd])\s*$/i;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const MAX_LENGTH = 1000;
// Letters only in months and days of the week. Like crond, it refuses `?`, L, W and #, which croner accepts.
const FIVE_FIELDS = /^(?:[\d*,/-]+[ \t]+){3}[\da-z*,/-]+[ \t]+[\da-km-z*,/-]+$/i;
const NICKNAME = /^@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)$/i;

/** Loads the package at the first task: a panel without cron tasks does not need it. */
function croner() {
  return require('croner') as typeof import('croner');
}

/**
 * Returns when a crontab schedule is due next after `from`, or null if that is unknown: `@reboot`, a schedule that is
 * neither five fields nor a nickname, a day that does not exist, or an unknown time zone.
 *
 * @param timezone an IANA name. Default: the zone of the process, like crond.
 */
export function nextRun(schedule: string, from: Date, timezone?: string | null): Date | null {
  if (schedule.length > MAX_LENGTH) return null;
  const expression = schedule.trim();
  if (!FIVE_FIELDS.test(expression) && !NICKNAME.test(expression)) return null;
  const [, , dayOfMonth = '', , dayOfWeek = ''] = expression.split(/[ \t]+/);
  // Vixie cron's rule: if both day fields are restricted, either is sufficient, unless one of them begins with a star.
  const bothDays = dayOfMonth.startsWith('*') || dayOfWeek.startsWith('*');
  const { Cron } = croner();
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

/** Whether it means only days such as 31 February, which croner would search for over thousands of years. */
function neverComes(expression: string): boolean {
  const { CronPattern } = croner();
  const { day, month } = new CronPattern(expression, undefined, { mode: '5-part' });
  return !LONGEST_MONTHS.some((length, index) => month[index] && day.slice(0, length).some(Boolean));
}
