import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { percentOf, readDisks, readTextOrNull } from './disks';

/**
 * Reads this machine's current state, with the names of `server-health.php`. Takes about a tenth of a second, or a
 * second if a disk hangs. Starts no program and keeps nothing. On systems without /proc, the parts that need it are
 * null and `/` is the only disk.
 */
export async function readServerHealth() {
  const [cpu, disks, osRelease, meminfoText] = await Promise.all([
    measureCpu(),
    readDisks(),
    readTextOrNull('/etc/os-release'),
    readTextOrNull('/proc/meminfo'),
  ]);
  const [one = 0, five = 0, fifteen = 0] = os.loadavg().map((load) => Math.round(load * 100) / 100);
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
    /** Seconds since 1970. */
    collected_at: Math.floor(Date.now() / 1000),
  };
}

export const HEALTH_STATUSES = ['ok', 'warning', 'critical'] as const;

type HealthStatus = (typeof HEALTH_STATUSES)[number];

/**
 * The values at which a server counts as `warning` or `critical`: the fullest disk and the memory in percent, and the
 * five-minute load average per processor core.
 */
const THRESHOLDS = {
  disk: { warning: 90, critical: 97 },
  memory: { warning: 90, critical: 97 },
  load: { warning: 2, critical: 4 },
} as const;

/** The figures to judge; null if the machine did not report one. */
interface JudgedFigures {
  readonly diskPercents: readonly (number | null)[];
  readonly memoryPercent: number | null;
  readonly loadPerCore: number | null;
}

/** The worst status that a figure reaches. Unknown figures have no effect. */
export function judgeHealth({ diskPercents, memoryPercent, loadPerCore }: JudgedFigures): HealthStatus {
  const statuses = [
    ...diskPercents.map((percent) => judge(percent, THRESHOLDS.disk)),
    judge(memoryPercent, THRESHOLDS.memory),
    judge(loadPerCore, THRESHOLDS.load),
  ];
  return HEALTH_STATUSES.findLast((status) => statuses.includes(status)) ?? 'ok';
}

function judge(value: number | null, limits: { warning: number; critical: number }): HealthStatus {
  if (value === null || value < limits.warning) return 'ok';
  return value < limits.critical ? 'warning' : 'critical';
}

const MEASURED_MS = 100;

/** The part of `os.cpus()` that is read; times are milliseconds since the machine started. */
export type CpuSample = readonly Pick<os.CpuInfo, 'model' | 'times'>[];

type CpuTime = keyof os.CpuInfo['times'];

/** The processors, and how busy they were in the tenth of a second that this takes. Its timer keeps nothing alive. */
export async function measureCpu(sample: () => CpuSample = os.cpus) {
  const before = sample();
  await pause(MEASURED_MS, undefined, { ref: false });
  const after = sample();
  const spent = (kinds: readonly CpuTime[]) => sumTimes(after, kinds) - sumTimes(before, kinds);
  const [busy, idle] = [spent(['user', 'nice', 'sys', 'irq']), spent(['idle'])];
  return {
    cores: after.length || os.availableParallelism(),
    model: after[0]?.model.trim() || null,
    used_percent: percentOf(busy, busy + idle),
  };
}

function sumTimes(cpus: CpuSample, kinds: readonly CpuTime[]): number {
  return cpus.flatMap(({ times }) => kinds.map((kind) => times[kind])).reduce((sum, time) => sum + time, 0);
}

/**
 * The machine's memory from the figures of `parseMeminfo`, which may be empty. Available is what programs can still get
 * (MemAvailable), including caches that the kernel can free; without it, Node's figure is used. A container's limit is
 * ignored.
 */
export function memoryUsage(meminfo: ReadonlyMap<string, number>) {
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

/** The machine's swap space from the figures of `parseMeminfo`; null if it has none or it is unknown. */
export function swapUsage(meminfo: ReadonlyMap<string, number>) {
  const total = meminfo.get('SwapTotal');
  const free = meminfo.get('SwapFree');
  if (!total || free === undefined) return null;
  const used = Math.max(total - free, 0);
  return { total_bytes: total, used_bytes: used, free_bytes: free, used_percent: percentOf(used, total) };
}

/** The figures of /proc/meminfo in bytes (the kernel writes kibibytes as `kB`), by the kernel's names. */
export function parseMeminfo(text: string): ReadonlyMap<string, number> {
  const rows = [...text.matchAll(/^(\S+):\s+(\d+) kB$/gm)];
  return new Map(rows.map(([, name = '', kibibytes]) => [name, Number(kibibytes) * 1024]));
}

/**
 * The operating system's name, such as `Debian GNU/Linux 12 (bookworm)`: PRETTY_NAME in the text of an os-release file
 * (man 5 os-release), otherwise the kernel's name.
 */
export function osName(osRelease: string | null): string {
  const line = osRelease?.match(/^PRETTY_NAME=(.*)$/m)?.[1]?.trim() ?? '';
  const name = line.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(["'$`\\])/g, '$1');
  return name || os.type();
}
