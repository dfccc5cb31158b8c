import { percentOf } from './percentOf';

export interface SwapUsage {
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
