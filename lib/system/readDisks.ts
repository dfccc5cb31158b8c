import { statfs } from 'node:fs/promises';
import { within } from '../time/within';
import { parseMounts } from './parseMounts';
import { percentOf } from './percentOf';
import { readTextOrNull } from './readTextOrNull';
import { selectDisks } from './selectDisks';

export interface DiskUsage {
  mount: string;
  fstype: string | null;
  total_bytes: number | null;
  used_bytes: number | null;
  /** What programs without root's reserve may still write. */
  free_bytes: number | null;
  /** As df has it: used of used plus free. */
  used_percent: number | null;
}

/** The part of Node's answer to statfs that is read. */
export interface FilesystemSize {
  bsize: number;
  blocks: number;
  bfree: number;
  bavail: number;
}

const LIMIT_PER_DISK_MS = 300;
const LIMIT_FOR_ALL_MS = 1000;

/**
 * The disks of this machine by mount point. One that may not be read or does not answer in time stays in the
 * list with null figures, so that it is not taken for healthy. One is asked after the other: a hung one then
 * holds one thread of the host's pool, not all.
 */
export async function readDisks(
  mountsText: Promise<string | null> = readTextOrNull('/proc/self/mounts'),
  ask: (path: string) => Promise<FilesystemSize> = statfs,
): Promise<DiskUsage[]> {
  const until = performance.now() + LIMIT_FOR_ALL_MS;
  const disks: DiskUsage[] = [];
  for (const { mount, fstype } of selectDisks(parseMounts((await mountsText) ?? ''))) {
    const left = Math.min(LIMIT_PER_DISK_MS, until - performance.now());
    const size = left > 0 ? await within(ask(mount), left, late).catch(() => null) : null;
    disks.push({ mount, fstype, ...figures(size) });
  }
  return disks;
}

function figures(size: FilesystemSize | null): Omit<DiskUsage, 'mount' | 'fstype'> {
  if (size === null) return { total_bytes: null, used_bytes: null, free_bytes: null, used_percent: null };
  const used = (size.blocks - size.bfree) * size.bsize;
  const free = size.bavail * size.bsize;
  return {
    total_bytes: size.blocks * size.bsize,
    used_bytes: used,
    free_bytes: free,
    used_percent: percentOf(used, used + free),
  };
}

function late(): Error {
  return new Error('The file system did not answer in time.');
}
