import { bytes, count, listOf, number, object, oneOf, percent, required, text, time } from '../lib/fields';
import { objectOperation } from '../lib/operations/Operation';
import { HEALTH_STATUSES, readServerHealth } from '../lib/system/serverHealth';
import { rfc3339OfSeconds } from '../lib/time/time';

export const serverHealth = objectOperation({
  name: 'server-health',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Server health',
  description: 'Current load, memory and disk use of the server.',
  serverWide: true,
  fields: {
    hostname: required(text('Host name of the server.')),
    os: required(text('Name of the operating system.')),
    kernel: required(text('Version of the kernel.')),
    arch: required(text('CPU architecture of the server.')),
    uptime_seconds: required(count('Seconds since the server started.')),
    load: required(
      object('Load averages: the mean number of running and waiting processes.', {
        one: required(number('Load average over one minute.')),
        five: required(number('Load average over five minutes.')),
        fifteen: required(number('Load average over fifteen minutes.')),
      }),
    ),
    cpu: required(
      object('CPU of the server.', {
        cores: required(count('Number of CPU cores.')),
        model: text('Model name of the CPU.'),
        used_percent: percent('CPU use in percent, 0 to 100, measured over a tenth of a second.'),
      }),
    ),
    memory: required(
      object('Main memory of the server.', {
        total_bytes: required(count('Total memory in bytes.')),
        used_bytes: required(count('Used memory in bytes: the total minus the available memory.')),
        available_bytes: required(count('Memory that programs can still allocate, in bytes.')),
        used_percent: percent('Used memory in percent, 0 to 100.'),
      }),
    ),
    swap: object('Swap space of the server; null if there is none.', {
      total_bytes: required(count('Total swap in bytes.')),
      used_bytes: required(count('Used swap in bytes.')),
      free_bytes: required(count('Free swap in bytes.')),
      used_percent: percent('Used swap in percent, 0 to 100.'),
    }),
    disks: required(
      listOf(
        'Local file systems, each device once.',
        object('One file system.', {
          mount: required(text('Mount point of the file system.')),
          fstype: text('Type of the file system.'),
          total_bytes: bytes('Total size of the file system in bytes; null if it could not be read.'),
          used_bytes: bytes('Used space in bytes; null if it could not be read.'),
          free_bytes: bytes('Free space for users other than root, in bytes; null if it could not be read.'),
          used_percent: percent(
            'Used space in percent of the used and free space, 0 to 100; null if it could not be read.',
          ),
        }),
      ),
    ),
    status: required(oneOf('Worst status of load, memory and disks.', HEALTH_STATUSES)),
    collected_at: required(time('Time when the values were read.')),
  },
  alike: () => '',
  async load() {
    const { collected_at, ...state } = await readServerHealth();
    return { ...state, collected_at: rfc3339OfSeconds(collected_at) };
  },
});
