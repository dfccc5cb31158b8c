import { isCommandMasked } from '../lib/cron/isCommandMasked';
import { maskedCommand } from '../lib/cron/maskedCommand';
import { nextRunAt } from '../lib/cron/nextRunAt';
import {
  alwaysDerived,
  derived,
  filterable,
  flag,
  id,
  integer,
  milliseconds,
  required,
  text,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';

export const cron = listOperation({
  name: 'cron',
  scope: 'cron.read',
  area: 'Jobs and scheduling',
  title: 'Scheduled tasks',
  description: 'Every task that the server runs by a schedule.',
  fields: {
    id: required(id('Identifier of the task.')),
    account_id: id('The account that owns it.', 'accounts'),
    website_id: id('The website that it belongs to; null when to none.', 'websites'),
    name: text('What people call it.'),
    schedule: required(text('When it runs: the five fields of a crontab, or @daily and its like.')),
    timezone: text("Time zone of the schedule, an IANA name; null for the server's own."),
    type: word('What is run.', ['command', 'url', 'script']),
    command: alwaysDerived(
      text('What it runs, with credentials masked.'),
      ['command'],
      ({ command }, { latest }) => latest(command, () => maskedCommand(command)),
    ),
    command_masked: alwaysDerived(
      flag('Whether something in `command` is masked.'),
      ['command'],
      ({ command }, { latest }) => {
        const shown = latest(command, () => maskedCommand(command));
        return isCommandMasked(command, shown);
      },
    ),
    run_as: filterable(text('The operating system user that it runs as.')),
    enabled: required(flag('Whether it is switched on.')),
    last_run_at: time('When it last ran; null when never.'),
    next_run_at: derived(
      time('When it runs next; null while it is switched off and where the schedule does not say.'),
      ['schedule', 'enabled'],
      (row, { now, once }) =>
        once(JSON.stringify([row.schedule, row.enabled, row.timezone]), () => nextRunAt(row, now)),
    ),
    last_status: word('How its last run ended.', ['succeeded', 'failed', 'running', 'never']),
    last_exit_code: integer('Exit code of its last run; null when it never ran.'),
    last_duration_ms: milliseconds('How long its last run took, in milliseconds; null when it never ran.'),
    created_at: time('When it was made.'),
    updated_at: time('When it was last changed.'),
  },
});
