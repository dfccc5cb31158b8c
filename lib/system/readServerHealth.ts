import os from 'node:os';
import { type HealthStatus, judgeHealth } from './judgeHealth';
import { type CpuUsage, measureCpu } from './measureCpu';
import { type MemoryUsage, memoryUsage } from './memoryUsage';
import { osName } from './osName';
import { parseMeminfo } from './parseMeminfo';
import { type DiskUsage, readDisks } from './readDisks';
import { readTextOrNull } from './readTextOrNull';
import { type SwapUsage, swapUsage } from './swapUsage';

/** What `server-health.php` says of the machine, under its names there. */
export interface ServerHealth {
  hostname: string;
  os: string;
  kernel: string;
  arch: string;
  uptime_seconds: number;
  load: { one: number; five: number; fifteen: number };
  cpu: CpuUsage;
  memory: MemoryUsage;
  swap: SwapUsage | null;
  disks: DiskUsage[];
  status: HealthStatus;
  /** Seconds since 1970. */
  collected_at: number;
}

/**
 * Reads this machine's state anew, in about a tenth of a second, or a second where a disk hangs. Starts no
 * program and keeps nothing. On systems without /proc the parts that need it are null or only `/`.
 */
export async function readServerHealth(): Promise<ServerHealth> {
  const [cpu, disks, osRelease, meminfoText] = await Promise.all([
    measureCpu(),
    readDisks(),
    readTextOrNull('/etc/os-release'),
    readTextOrNull('/proc/meminfo'),
  ]);
  const [one = 0, five = 0, fifteen = 0] = os.loadavg().map(toHundredths);
  const meminfo = parseMeminfo(meminfoText ?? '');
  const memory = memoryUsage(meminfo);
  return {
    hostname: os.hostname(),
    os: osName(osRelease),
    kernel: os.release(),
    arch: os.machine(),
    uptime_seconds: Math.floor(os.uptime()),
    load: { one, five, fifteen },
    cpu,
    memory,
    swap: swapUsage(meminfo),
    disks,
    status: judgeHealth({
      diskPercents: disks.map((disk) => disk.used_percent),
      memoryPercent: memory.used_percent,
      loadPerCore: five / cpu.cores,
    }),
    collected_at: Math.floor(Date.now() / 1000),
  };
}

function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
