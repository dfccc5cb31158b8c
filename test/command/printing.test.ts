import { formatTable, jsonText, printableText } from '../../bin/output';
import { UNPRINTABLE } from './unprintable';

const BLOCK = 64;
const LAST = 0x10ffff;

/** Every code point that there is, lone surrogates included, in texts of 64. */
const TEXTS = Array.from({ length: (LAST + 1) / BLOCK }, (_, block) =>
  String.fromCodePoint(...Array.from({ length: BLOCK }, (_code, index) => block * BLOCK + index)),
);

test('no character of Unicode that is not printable gets through as text', () => {
  for (const text of TEXTS) expect(UNPRINTABLE.test(printableText(text))).toBe(false);
});

test('no character of Unicode that is not printable gets through in a table, nor breaks a line', () => {
  for (const text of TEXTS) {
    const table = formatTable(['A', 'B'], [[text, 'b']]);
    expect(UNPRINTABLE.test(table)).toBe(false);
    expect(table.split('\n')).toHaveLength(2);
  }
});

test('no character of Unicode that is not printable gets through as JSON, which means the same', () => {
  for (const text of TEXTS) {
    const json = jsonText({ [text]: text });
    expect(UNPRINTABLE.test(json)).toBe(false);
    expect(JSON.parse(json)[text] === text).toBe(true);
  }
});
