import { readDisks } from '../../../lib/system/disks';

const TWO_DISKS = Promise.resolve('/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /home xfs rw 0 0\n');
const SIZE = { bsize: 4096, blocks: 1000, bfree: 300, bavail: 200 };
const NO_FIGURES = { total_bytes: null, used_bytes: null, free_bytes: null, used_percent: null };

test('a disk is as full as df says: of what may be used, without the reserve', async () => {
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
  const begun = performance.now();
  await readDisks(Promise.resolve(rows), () => new Promise(() => {}));
  expect(performance.now() - begun).toBeLessThan(2000);
});

test('a disk that may not be read stays in the list without figures', async () => {
  const disks = await readDisks(TWO_DISKS, () => Promise.reject(new Error('EACCES')));
  expect(disks).toHaveLength(2);
  expect(disks[1]).toEqual({ mount: '/home', fstype: 'xfs', ...NO_FIGURES });
});
