import { fullUnitName } from '../../../lib/system/systemd';

test.each([
  ['nginx', 'nginx.service'],
  ['php8.3-fpm', 'php8.3-fpm.service'],
  ['ssh.socket', 'ssh.socket'],
  ['postgresql@15-main', 'postgresql@15-main.service'],
  ['dev-disk-by\\x2dlabel.mount', 'dev-disk-by\\x2dlabel.mount'],
  ['123', '123.service'],
])('%s is the unit %s', (name, full) => {
  expect(fullUnitName(name)).toBe(full);
});

test.each([
  '',
  '-nginx',
  '--help',
  'a b',
  'nginx;id',
  'a/b',
  'a\nb',
  '*',
  'foo@',
  'foo@.service',
  '@foo',
  '.service',
  'ä',
  'a'.repeat(250),
])('%j is no unit', (name) => {
  expect(fullUnitName(name)).toBeNull();
});
