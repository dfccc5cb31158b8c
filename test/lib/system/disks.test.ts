import { setTimeout as sleep } from 'node:timers/promises';
import { parseMounts, percentOf, readDisks, selectDisks } from '../../../lib/system/disks';

describe('readDisks', () => {
  const TWO_DISKS = Promise.resolve('/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /home xfs rw 0 0\n');
  const SIZE = { bsize: 4096, blocks: 1000, bfree: 300, bavail: 200 };
  const NO_FIGURES = { total_bytes: null, used_bytes: null, free_bytes: null, used_percent: null };

  test('a disk is as full as df reports: of the space that may be used, without the reserve', async () => {
    expect((await readDisks(TWO_DISKS, async () => SIZE))[0]).toEqual({
      mount: '/',
      fstype: 'ext4',
      total_bytes: 4_096_000,
      used_bytes: 2_867_200,
      free_bytes: 819_200,
      used_percent: 77.8,
    });
  });

  test('a disk that hangs stays in the list without figures, and the others have theirs', async () => {
    const disks = await readDisks(TWO_DISKS, (path) =>
      path === '/' ? new Promise(() => {}) : Promise.resolve(SIZE),
    );
    expect(disks[0]).toEqual({ mount: '/', fstype: 'ext4', ...NO_FIGURES });
    expect(disks[1]?.total_bytes).toBe(4_096_000);
  });

  test('many disks that hang cost about a second together', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `/dev/sd${index} /mnt/${index} ext4 rw 0 0`).join(
      '\n',
    );
    const late = sleep(2000).then(() => 'late');
    const disks = readDisks(Promise.resolve(rows), () => new Promise(() => {}));
    expect(await Promise.race([disks, late])).not.toBe('late');
  });

  test('a disk that may not be read stays in the list without figures', async () => {
    const disks = await readDisks(TWO_DISKS, () => Promise.reject(new Error('EACCES')));
    expect(disks).toHaveLength(2);
    expect(disks[1]).toEqual({ mount: '/home', fstype: 'xfs', ...NO_FIGURES });
  });
});

describe('selectDisks', () => {
  const SERVER = `proc /proc proc rw,relatime 0 0
udev /dev devtmpfs rw 0 0
tmpfs /run tmpfs rw 0 0
/dev/sda1 / ext4 rw,relatime 0 0
/dev/sda1 /var/lib/docker ext4 rw 0 0
/dev/sda15 /boot/efi vfat rw 0 0
/dev/loop0 /snap/core/1 squashfs ro 0 0
/dev/mapper/vg-home /home xfs rw 0 0
tank/backups /backups zfs rw 0 0
nas:/export /mnt/nas nfs4 rw 0 0
/dev/fuse /run/user/0/doc fuse.portal rw 0 0
/dev/sdb1 /mnt/two\\040words\\011tab btrfs rw 0 0
overlay /var/lib/docker/overlay2/x/merged overlay rw 0 0
`;

  function placesOf(mounts: string): string[] {
    return selectDisks(parseMounts(mounts)).map(({ mount }) => mount);
  }

  test('disks are real ones, each once, with their true names', () => {
    expect(placesOf(SERVER)).toEqual(['/', '/backups', '/boot/efi', '/home', '/mnt/two words\ttab']);
  });

  test('a container has its root and no bound files', () => {
    expect(
      placesOf('overlay / overlay rw 0 0\n/dev/sda1 /etc/hosts ext4 rw 0 0\n/dev/sda1 /data ext4 rw 0 0\n'),
    ).toEqual(['/', '/data']);
  });

  test('the later one of two mounts at one place counts', () => {
    expect(selectDisks(parseMounts('rootfs / rootfs rw 0 0\n/dev/sda1 / ext4 rw 0 0\n'))).toEqual([
      { device: '/dev/sda1', mount: '/', fstype: 'ext4' },
    ]);
  });

  test('without a list of mounts there is still the root', () => {
    expect(selectDisks([])).toEqual([{ device: '/', mount: '/', fstype: null }]);
  });
});

describe('percentOf', () => {
  test('a share has one decimal', () => {
    expect(percentOf(1, 3)).toBe(33.3);
  });

  test('a share stays within 0 and 100', () => {
    expect([percentOf(-1, 3), percentOf(5, 3)]).toEqual([0, 100]);
  });

  test('nothing has no share', () => {
    expect([percentOf(0, 0), percentOf(1, Number.NaN), percentOf(Number.NaN, 1)]).toEqual([null, null, null]);
  });
});
