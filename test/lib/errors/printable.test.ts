import { printable, writtenValue } from '../../../lib/errors/printable';

describe('printable', () => {
  test.each([
    ['plain – ü 🐘', 'plain – ü 🐘'],
    ['\u001b[31m', '\\u{1b}[31m'],
    ['a\r\nb\0', 'a\\u{d}\\u{a}b\\u{0}'],
    ['\u007f\u009b', '\\u{7f}\\u{9b}'],
    ['\u202e\u2066\u200b', '\\u{202e}\\u{2066}\\u{200b}'],
    ['\u2028\u2029', '\\u{2028}\\u{2029}'],
    ['\ud800', '\ufffd'],
  ])('returns %j as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test('keeps no more characters than its limit', () => {
    expect(printable('abcdef', 3)).toBe('abc…');
    expect(printable('abc', 3)).toBe('abc');
  });
});

test.each([
  ['a', 'a'],
  ['a"b', 'a"b'],
  ['a,b', '"a,b"'],
  ['"a', '"""a"'],
  ['a",b', '"a"",b"'],
])('writtenValue writes %s as %s', (value, written) => {
  expect(writtenValue(value)).toBe(written);
});
