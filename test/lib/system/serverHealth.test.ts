import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CpuSample,
  judgeHealth,
  measureCpu,
  memoryUsage,
  osName,
  parseMeminfo,
  readServerHealth,
  swapUsage,
} from '../../../lib/system/serverHealth';

describe('readServerHealth', () => {
  let health: Awaited<ReturnType<typeof readServerHealth>>;

  beforeAll(async () => {
    health = await readServerHealth();
  });

  test('this machine is described under the names of server-health.php', () => {
    expect(Object.keys(health)).toEqual([
      'hostname',
      'os',
      'kernel',
      'arch',
      'uptime_seconds',
      'load',
      'cpu',
      'memory',
      'swap',
      'disks',
      'status',
      'collected_at',
    ]);
    expect(health).toMatchObject({
      hostname: os.hostname(),
      kernel: os.release(),
      cpu: { cores: os.cpus().length },
    });
  });

  test('its root filesystem has the size that df reports', () => {
    const blocks = execFileSync('df', ['--block-size=1', '--output=size', '/'], { encoding: 'utf8' });
    const root = health.disks.find(({ mount }) => mount === '/');
    expect(root?.total_bytes).toBe(Number(blocks.split('\n')[1]));
  });

  test('it was read just now', () => {
    expect(Math.abs(Date.now() / 1000 - health.collected_at)).toBeLessThan(60);
  });
});

describe('measureCpu', () => {
  function core(busy: number, idle: number): CpuSample[number] {
    return { model: ' EPYC  ', times: { user: busy, nice: 0, sys: 0, idle, irq: 0 } };
  }

  function samples(...rows: CpuSample[]): () => CpuSample {
    const left = [...rows];
    return () => left.shift() ?? [];
  }

  test('the busy share of the processors is that between two samples', async () => {
    const sample = samples([core(1000, 0), core(0, 1000)], [core(1030, 70), core(0, 1100)]);
    expect(await measureCpu(sample)).toEqual({ cores: 2, model: 'EPYC', used_percent: 15 });
  });

  test('a machine that shows no processors has a number of cores all the same', async () => {
    expect(await measureCpu(() => [])).toEqual({
      cores: expect.any(Number),
      model: null,
      used_percent: null,
    });
  });

  test('it takes no longer than about a tenth of a second', async () => {
    const late = sleep(1000).then(() => 'late');
    expect(await Promise.race([measureCpu(() => []), late])).not.toBe('late');
  });
});

describe('memoryUsage and swapUsage', () => {
  const MEMINFO = parseMeminfo(
    'MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    250 kB\nSwapTotal:  400 kB\nSwapFree:  100 kB\nHugePages_Total:       0\n',
  );

  test('used memory is the memory that is not available', () => {
    expect(memoryUsage(MEMINFO)).toEqual({
      total_bytes: 1_024_000,
      used_bytes: 768_000,
      available_bytes: 256_000,
      used_percent: 75,
    });
  });

  test('without /proc/meminfo the memory is that which Node reports', () => {
    expect(memoryUsage(new Map()).total_bytes).toBe(os.totalmem());
  });

  test('swap is read', () => {
    expect(swapUsage(MEMINFO)).toEqual({
      total_bytes: 409_600,
      used_bytes: 307_200,
      free_bytes: 102_400,
      used_percent: 75,
    });
  });

  test('a machine without swap has none', () => {
    expect([swapUsage(parseMeminfo('SwapTotal: 0 kB\nSwapFree: 0 kB\n')), swapUsage(new Map())]).toEqual([
      null,
      null,
    ]);
  });
});

describe('osName', () => {
  test('the pretty name has no quotes', () => {
    expect(osName('ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')).toBe(
      'Debian GNU/Linux 12 (bookworm)',
    );
  });

  test('a name without quotes and one with escapes are read too', () => {
    expect([osName('PRETTY_NAME=Alpine'), osName('PRETTY_NAME="A \\"B\\" \\$1"')]).toEqual([
      'Alpine',
      'A "B" $1',
    ]);
  });

  test('without a file it is the kernel’s name', () => {
    expect([osName(null), osName('PRETTY_NAME=""')]).toEqual([os.type(), os.type()]);
  });
});

describe('judgeHealth', () => {
  const HEALTHY = { diskPercents: [10, 89.9], memoryPercent: 89.9, loadPerCore: 1.9 };

  test('a server below every threshold is ok', () => {
    expect(judgeHealth(HEALTHY)).toBe('ok');
  });

  test.each([
    ['a disk', { diskPercents: [10, 90] }],
    ['the memory', { memoryPercent: 90 }],
    ['the load', { loadPerCore: 2 }],
  ])('%s at its first threshold is a warning', (_name, figures) => {
    expect(judgeHealth({ ...HEALTHY, ...figures })).toBe('warning');
  });

  test.each([
    ['a disk', { diskPercents: [97, 10] }],
    ['the memory', { memoryPercent: 97 }],
    ['the load', { loadPerCore: 4 }],
  ])('%s at its second threshold is critical', (_name, figures) => {
    expect(judgeHealth({ ...HEALTHY, memoryPercent: 91, ...figures })).toBe('critical');
  });

  test('an unknown figure does not change the status', () => {
    expect(judgeHealth({ diskPercents: [null], memoryPercent: null, loadPerCore: null })).toBe('ok');
  });
});
