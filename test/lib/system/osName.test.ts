import os from 'node:os';
import { osName } from '../../../lib/system/serverHealth';

test('the pretty name comes without its quotes', () => {
  expect(osName('ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')).toBe(
    'Debian GNU/Linux 12 (bookworm)',
  );
});

test('a name without quotes and one with escapes are read too', () => {
  expect([osName('PRETTY_NAME=Alpine'), osName('PRETTY_NAME="A \\"B\\" \\$1"')]).toEqual([
    'Alpine',
    'A "B" $1',
  ]);
});

test('without a file it is the kernel’s name', () => {
  expect([osName(null), osName('PRETTY_NAME=""')]).toEqual([os.type(), os.type()]);
});
