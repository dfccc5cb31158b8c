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
import { HIDDEN } from '../lib/masking/harmlessText';
import { maskCommand } from '../lib/masking/maskCommand';
import { listOperation } from '../lib/operations/Operation';

const shownCommand = (command: unknown) => (typeof command === 'string' ? maskCommand(command) : null);

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
      text(
        'What it runs: the program, paths of files, names of options, hosts. `…` stands for all else, which may be ' +
          'secret.',
      ),
      ['command'],
      ({ command }, { latest }) => latest(command, () => shownCommand(command)),
    ),
    command_masked: alwaysDerived(
      flag('Whether something in `command` is hidden.'),
      ['command'],
      ({ command }, { latest }) => latest(command, () => shownCommand(command))?.includes(HIDDEN) ?? null,
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
