import { parseMounts, selectDisks } from '../../../lib/system/disks';

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
