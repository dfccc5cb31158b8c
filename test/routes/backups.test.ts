import { baseName } from '../../routes/backups';

test.each([
  ['/var/backups/shop/2026-06-12.tar.gz', '2026-06-12.tar.gz'],
  ['C:\\Backups\\shop.zip', 'shop.zip'],
  ['mixed/up\\shop.zip', 'shop.zip'],
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

test('the password of an address is left out even if the path is empty', () => {
  expect(baseName('ftp://shop:geheim@storage.example')).toBeNull();
});

test.each(['', '/', null, undefined, 7n, {}])('%p has no base name', (path) => {
  expect(baseName(path)).toBeNull();
});
