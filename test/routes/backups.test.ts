import { baseName } from '../../routes/backups';

test.each([
  ['/var/backups/shop/2026-06-12.tar.gz', '2026-06-12.tar.gz'],
  ['C:\\Backups\\shop.zip', 'shop.zip'],
  ['c:/Backups\\shop.zip', 'shop.zip'],
  ['C://Backups/shop.zip', 'shop.zip'],
  ['C:\\Backups\\', 'Backups'],
  ['\\\\nas\\backups\\shop.zip', 'shop.zip'],
  ['/var/backups/a\\b.zip', 'a\\b.zip'],
  ['a\\b.zip', 'a\\b.zip'],
  ['/srv/C:\\shop.zip', 'C:\\shop.zip'],
  ['s3://bucket/shop/a\\b.zip', 'a\\b.zip'],
  ['shop.zip', 'shop.zip'],
])('of %s stays %s', (path, name) => {
  expect(baseName(path)).toBe(name);
});

test('the base name of a directory is its own name', () => {
  expect(baseName('/var/backups/shop/')).toBe('shop');
});

test('the signature of an address is left out', () => {
  expect(baseName('https://bucket.example/shop/full.tgz?X-Signature=ab/cd#x')).toBe('full.tgz');
});

test.each(['geheim', 'ge\\heim', 'C:\\geheim'])(
  'the password %s of an address is left out even if the path is empty',
  (password) => {
    expect(baseName(`ftp://shop:${password}@storage.example`)).toBeNull();
  },
);

test.each(['', '/', null, undefined, 7n, {}])('%p has no base name', (path) => {
  expect(baseName(path)).toBeNull();
});
