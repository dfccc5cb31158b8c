import {
  bytes,
  derived,
  filterable,
  flag,
  integer,
  percent,
  required,
  text,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';
import { SERVICE_CATEGORIES } from '../lib/system/commonSystemdUnits';
import { rfc3339 } from '../lib/time/time';

export const services = listOperation({
  name: 'services',
  scope: 'services.read',
  tag: 'Platform and health',
  title: 'Services',
  description: 'The services of the server and whether they run.',
  fromSystemd: true,
  fields: {
    id: required(filterable(text("The unit's name."))),
    name: required(filterable(text('Its name, for people.'))),
    category: word('Its purpose.', SERVICE_CATEGORIES),
    status: required(
      word('State of the service.', ['running', 'stopped', 'failed', 'starting', 'not_installed']),
    ),
    enabled: flag('Whether it starts with the server.'),
    version: text('Version of the service.'),
    pid: integer('Identifier of its main process; null while it does not run.'),
    memory_bytes: bytes('Memory in use, in bytes; null while it does not run.'),
    cpu_percent: percent('Share of the processor in use, 0 to 100; null while it does not run.'),
    started_at: time('When it was last started; null while it does not run.'),
    checked_at: required(derived(time('When its state was looked at.'), [], (_row, { now }) => rfc3339(now))),
  },
});
