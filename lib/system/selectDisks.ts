import type { Mount } from './parseMounts';

// Images that are full by nature: a snap package or a DVD would always be a full disk.
const IMAGE_TYPES = new Set(['squashfs', 'iso9660', 'udf', 'erofs', 'cramfs', 'romfs']);
// Containers bind files such as /etc/hosts from the disk that holds them; no disk of its own lives here.
const SYSTEM_PLACES = /^\/(?:dev|etc|proc|run|sys)(?:\/|$)/;

/**
 * The mounts that stand for a disk: local block filesystems and ZFS datasets, each device once at its shortest
 * path. `/` is always among them, whatever it is made of. Network filesystems are left out: asking a dead one
 * would block a thread of the host's pool for ever.
 */
export function selectDisks(mounts: readonly Mount[]): Mount[] {
  // A later mount hides an earlier one at the same place.
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
