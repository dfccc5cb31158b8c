import { bytes, count, listOf, number, object, oneOf, percent, required, text, time } from '../lib/fields';
import { objectOperation } from '../lib/operations/Operation';
import { HEALTH_STATUSES, readServerHealth } from '../lib/system/serverHealth';
import { rfc3339OfSeconds } from '../lib/time/time';

export const serverHealth = objectOperation({
  name: 'server-health',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Server health',
  description: 'Load, memory and disks of the server, read for this very answer.',
  serverWide: true,
  fields: {
    hostname: required(text('Name of the host.')),
    os: required(text('Name of the operating system.')),
    kernel: required(text('Release of the kernel.')),
    arch: required(text('Architecture of the machine.')),
    uptime_seconds: required(count('Seconds since the machine was started.')),
    load: required(
      object('Average number of running and waiting processes.', {
        one: required(number('Over one minute.')),
        five: required(number('Over five minutes.')),
        fifteen: required(number('Over fifteen minutes.')),
      }),
    ),
    cpu: required(
      object('The processors.', {
        cores: required(count('How many there are.')),
        model: text('Their model.'),
        used_percent: percent('Share of their time in use, over a tenth of a second.'),
      }),
    ),
    memory: required(
      object('The main memory.', {
        total_bytes: required(count('All of it.')),
        used_bytes: required(count('The part that is not available.')),
        available_bytes: required(count('The part that programs can still get.')),
        used_percent: percent('Share that is used.'),
      }),
    ),
    swap: object('The swap space; null if there is none.', {
      total_bytes: required(count('All of it.')),
      used_bytes: required(count('The part in use.')),
      free_bytes: required(count('The free part.')),
      used_percent: percent('Share that is used.'),
    }),
    disks: required(
      listOf(
        'The file systems on real devices.',
        object('A file system.', {
          mount: required(text('Where it is mounted.')),
          fstype: text('Kind of file system.'),
          total_bytes: bytes('All of it.'),
          used_bytes: bytes('The part in use.'),
          free_bytes: bytes('The part that is free to ordinary users.'),
          used_percent: percent('Share that is used.'),
        }),
      ),
    ),
    status: required(oneOf('The worst of load, memory and disks.', HEALTH_STATUSES)),
    collected_at: required(time('When this was read.')),
  },
  alike: () => '',
  async load() {
    const { collected_at, ...state } = await readServerHealth();
    return { ...state, collected_at: rfc3339OfSeconds(collected_at) };
  },
});
