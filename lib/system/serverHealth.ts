import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type DiskUsage, percentOf, readDisks, readTextOrNull } from './disks';

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

export const HEALTH_STATUSES = ['ok', 'warning', 'critical'] as const;

type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** What is judged; null where the machine did not tell. */
interface JudgedFigures {
  diskPercents: readonly (number | null)[];
  memoryPercent: number | null;
  loadPerCore: number | null;
}

/** The worst status that a figure reaches by `healthThresholds`; a figure that is not known changes nothing. */
export function judgeHealth({ diskPercents, memoryPercent, loadPerCore }: JudgedFigures): HealthStatus {
  const statuses = [
    ...diskPercents.map((percent) => judge(percent, healthThresholds.disk)),
    judge(memoryPercent, healthThresholds.memory),
    judge(loadPerCore, healthThresholds.load),
  ];
  if (statuses.includes('critical')) return 'critical';
  return statuses.includes('warning') ? 'warning' : 'ok';
}

function judge(value: number | null, limits: { warning: number; critical: number }): HealthStatus {
  if (value === null || value < limits.warning) return 'ok';
  return value < limits.critical ? 'warning' : 'critical';
}

/**
 * From which value on a server counts as `warning` or `critical`: the fullest disk and the memory in percent,
 * the load average of five minutes per processor core.
 */
const healthThresholds = {
  disk: { warning: 90, critical: 97 },
  memory: { warning: 90, critical: 97 },
  load: { warning: 2, critical: 4 },
} as const;

interface CpuUsage {
  cores: number;
  model: string | null;
  used_percent: number | null;
}

/** The part of `os.cpus()` that is read; times are milliseconds since the machine started. */
export type CpuSample = readonly Pick<os.CpuInfo, 'model' | 'times'>[];

const MEASURED_MS = 100;

/**
 * The processors, and how busy all of them together were during the tenth of a second that this takes.
 * The wait keeps no process alive: a script of its own must have something else to wait for.
 */
export async function measureCpu(sample: () => CpuSample = os.cpus): Promise<CpuUsage> {
  const before = sample();
  await pause(MEASURED_MS, undefined, { ref: false });
  const after = sample();
  const total = sumTimes(after) - sumTimes(before);
  const idle = sumIdle(after) - sumIdle(before);
  return {
    cores: after.length || os.availableParallelism(),
    model: after[0]?.model.trim() || null,
    used_percent: percentOf(total - idle, total),
  };
}

function sumTimes(cpus: CpuSample): number {
  return cpus.reduce(
    (sum, { times }) => sum + times.user + times.nice + times.sys + times.idle + times.irq,
    0,
  );
}

function sumIdle(cpus: CpuSample): number {
  return cpus.reduce((sum, { times }) => sum + times.idle, 0);
}

interface MemoryUsage {
  total_bytes: number;
  used_bytes: number;
  available_bytes: number;
  used_percent: number | null;
}

/**
 * The machine's memory. Available is what programs can still get (MemAvailable), caches that the kernel would
 * give back included; where the kernel does not say, it is Node's own figure. A container's limit is not counted.
 *
 * @param meminfo the figures of `parseMeminfo`, empty where there are none
 */
export function memoryUsage(meminfo: ReadonlyMap<string, number>): MemoryUsage {
  const total = meminfo.get('MemTotal') ?? os.totalmem();
  const available = Math.min(meminfo.get('MemAvailable') ?? os.freemem(), total);
  const used = total - available;
  return {
    total_bytes: total,
    used_bytes: used,
    available_bytes: available,
    used_percent: percentOf(used, total),
  };
}

interface SwapUsage {
  total_bytes: number;
  used_bytes: number;
  free_bytes: number;
  used_percent: number | null;
}

/** The machine's swap space from the figures of `parseMeminfo`; null where it has none or does not say. */
export function swapUsage(meminfo: ReadonlyMap<string, number>): SwapUsage | null {
  const total = meminfo.get('SwapTotal');
  const free = meminfo.get('SwapFree');
  if (!total || free === undefined) return null;
  const used = Math.max(total - free, 0);
  return { total_bytes: total, used_bytes: used, free_bytes: free, used_percent: percentOf(used, total) };
}

/** The figures of /proc/meminfo in bytes (the kernel writes kibibytes as `kB`), by the kernel's names. */
export function parseMeminfo(text: string): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const [, name, kibibytes] of text.matchAll(/^(\S+):\s+(\d+) kB$/gm)) {
    figures.set(name!, Number(kibibytes) * 1024);
  }
  return figures;
}

/**
 * The operating system's name for people, such as `Debian GNU/Linux 12 (bookworm)`: PRETTY_NAME of an os-release
 * file's text (man 5 os-release), else the kernel's name.
 */
export function osName(osRelease: string | null): string {
  const line = osRelease?.match(/^PRETTY_NAME=(.*)$/m)?.[1]?.trim() ?? '';
  const name = line.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(["'$`\\])/g, '$1');
  return name || os.type();
}
