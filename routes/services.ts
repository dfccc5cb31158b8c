import {
  bytes,
  derived,
  filterable,
  flag,
  integer,
  percent,
  required,
  searchable,
  text,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/fields/Operation';
import { SERVICE_CATEGORIES } from '../lib/system/commonSystemdUnits';
import { rfc3339 } from '../lib/time/time';

export const services = listOperation({
  name: 'services',
  tag: 'Platform and health',
  title: 'Services',
  item: 'Service',
  description: 'Every service of the server, with its status.',
  fromSystemd: true,
  fields: {
    id: required(filterable(text('Name of the systemd unit.'))),
    name: required(searchable(filterable(text('Display name of the service.')))),
    category: word('Purpose of the service.', SERVICE_CATEGORIES),
    status: required(
      word('Status of the service.', ['running', 'stopped', 'failed', 'starting', 'not_installed']),
    ),
    enabled: flag('Whether the service starts when the server boots.'),
    version: text('Version of the service.'),
    pid: integer('Process id of the main process; null while the service is not running.'),
    memory_bytes: bytes('Memory that the service uses, in bytes; null while the service is not running.'),
    cpu_percent: percent(
      'CPU use of the service in percent, 0 to 100; null while the service is not running.',
    ),
    started_at: time('Time when the service last started; null while the service is not running.'),
    checked_at: required(
      derived(time('Time when the status was read.'), [], (_row, { now }) => rfc3339(now)),
    ),
  },
});
