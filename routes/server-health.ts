import { bytes, count, listOf, nullable, number, object, oneOf, percent, text, time } from '../lib/fields';
import { HEALTH_STATUSES, readServerHealth } from '../lib/system/serverHealth';
import { rfc3339OfSeconds } from '../lib/time/time';
import { objectOperation } from './objectOperation';

export const serverHealth = objectOperation({
  name: 'server-health',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Server health',
  description: 'Current load, memory and disk use of the server.',
  serverWide: true,
  fields: {
    hostname: text('Host name of the server.'),
    os: text('Name of the operating system.'),
    kernel: text('Version of the kernel.'),
    arch: text('CPU architecture of the server.'),
    uptime_seconds: count('Seconds since the server started.'),
    load: object('Load averages: the mean number of running and waiting processes.', {
      one: number('Load average over one minute.'),
      five: number('Load average over five minutes.'),
      fifteen: number('Load average over fifteen minutes.'),
    }),
    cpu: object('CPU of the server.', {
      cores: count('Number of CPU cores.'),
      model: nullable(text('Model name of the CPU.')),
      used_percent: nullable(percent('CPU use in percent, 0 to 100, measured over a tenth of a second.')),
    }),
    memory: object('Main memory of the server.', {
      total_bytes: count('Total memory in bytes.'),
      used_bytes: count('Used memory in bytes: the total minus the available memory.'),
      available_bytes: count('Memory that programs can still allocate, in bytes.'),
      used_percent: nullable(percent('Used memory in percent, 0 to 100.')),
    }),
    swap: nullable(
      object('Swap space of the server; null if there is none.', {
        total_bytes: count('Total swap in bytes.'),
        used_bytes: count('Used swap in bytes.'),
        free_bytes: count('Free swap in bytes.'),
        used_percent: nullable(percent('Used swap in percent, 0 to 100.')),
      }),
    ),
    disks: listOf(
      'Local file systems, each device once.',
      object('One file system.', {
        mount: text('Mount point of the file system.'),
        fstype: nullable(text('Type of the file system.')),
        total_bytes: nullable(bytes('Total size of the file system in bytes; null if it could not be read.')),
        used_bytes: nullable(bytes('Used space in bytes; null if it could not be read.')),
        free_bytes: nullable(
          bytes('Free space for users other than root, in bytes; null if it could not be read.'),
        ),
        used_percent: nullable(
          percent(
            'Used space in percent of the used and free space, 0 to 100; null if it could not be read.',
          ),
        ),
      }),
    ),
    status: oneOf('Worst status of load, memory and disks.', HEALTH_STATUSES),
    collected_at: time('Time when the values were read.'),
  },
  alike: () => '',
  async load() {
    const { collected_at, ...state } = await readServerHealth();
    return { ...state, collected_at: rfc3339OfSeconds(collected_at) };
  },
});
