import os from 'node:os';
import { percentOf } from './percentOf';

export interface MemoryUsage {
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
