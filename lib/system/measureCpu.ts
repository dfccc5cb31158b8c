import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { percentOf } from './percentOf';

export interface CpuUsage {
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
