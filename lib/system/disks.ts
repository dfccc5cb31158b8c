import type { StatsFs } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { withTimeout } from '../async/withTimeout';

const LIMIT_PER_DISK_MS = 300;
const LIMIT_FOR_ALL_MS = 1000;

/** The part of Node's statfs result that is read. */
type FilesystemSize = Pick<StatsFs, 'bsize' | 'blocks' | 'bfree' | 'bavail'>;

/**
 * Reads the disks of this machine by mount point. A disk that is unreadable or too slow stays in the list with null
 * figures, so that it does not pass for healthy. Disks are read one after another, so that a hanging one blocks one
 * thread of the host's pool, not all.
 */
export async function readDisks(
  mountsText: Promise<string | null> = readTextOrNull('/proc/self/mounts'),
  ask: (path: string) => Promise<FilesystemSize> = statfs,
) {
  const until = performance.now() + LIMIT_FOR_ALL_MS;
  const disks = [];
  for (const { mount, fstype } of selectDisks(parseMounts((await mountsText) ?? ''))) {
    const left = Math.min(LIMIT_PER_DISK_MS, until - performance.now());
    const size = left > 0 ? await withTimeout(ask(mount), left).catch(() => null) : null;
    disks.push({ mount, fstype, ...figures(size) });
  }
  return disks;
}

/**
 * Free is what programs can still write without root's reserve. The percentage is computed like that of df: used of
 * used plus free.
 */
function figures(size: FilesystemSize | null) {
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

interface Mount {
  readonly device: string;
  readonly mount: string;
  readonly fstype: string | null;
}

// Images that are full by nature: a snap package or a DVD would always be a full disk.
const IMAGE_TYPES = new Set(['squashfs', 'iso9660', 'udf', 'erofs', 'cramfs', 'romfs']);
// Containers bind files such as /etc/hosts from the disk that contains them; these are no disks.
const SYSTEM_PLACES = /^\/(?:dev|etc|proc|run|sys)(?:\/|$)/;

/**
 * The mounts that are disks: local block filesystems and ZFS datasets, each device once, at its shortest path. `/` is
 * always included, whatever its type. Network filesystems are omitted, because a dead one would block a thread of the
 * host's pool forever.
 */
export function selectDisks(mounts: readonly Mount[]): readonly Mount[] {
  // A later mount hides an earlier one at the same path.
  const visible = new Map(mounts.map((row) => [row.mount, row]));
  if (!visible.has('/')) visible.set('/', { device: '/', mount: '/', fstype: null });

  const byDevice = new Map<string, Mount>();
  for (const row of [...visible.values()].sort((a, b) => a.mount.length - b.mount.length)) {
    if ((row.mount === '/' || isDisk(row)) && !byDevice.has(row.device)) byDevice.set(row.device, row);
  }
  return [...byDevice.values()].sort((a, b) => (a.mount < b.mount ? -1 : 1));
}

function isDisk({ device, mount, fstype }: Mount): boolean {
  if (fstype === null || IMAGE_TYPES.has(fstype) || SYSTEM_PLACES.test(mount)) return false;
  return fstype === 'zfs' || (device.startsWith('/dev/') && !fstype.startsWith('fuse.'));
}

/** The rows of /proc/self/mounts in their order (man 5 fstab). Blanks in names are octal escapes. */
export function parseMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [device, mount, fstype] = line.split(' ').map(decodeOctal);
    return device && mount && fstype ? [{ device, mount, fstype }] : [];
  });
}

function decodeOctal(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** `part` as a percentage of `whole`, 0 to 100 with one decimal; null if `whole` is not positive. */
export function percentOf(part: number, whole: number): number | null {
  if (!(whole > 0) || !Number.isFinite(part)) return null;
  return Math.round(Math.min(Math.max(part / whole, 0), 1) * 1000) / 10;
}

/** The text of a file; null if it does not exist or is unreadable. */
export async function readTextOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
