import { safeLines } from '../../bin/Terminal';
import { formatTable } from '../../bin/table';
import { printableJson } from '../../lib/json/json';
import { UNPRINTABLE } from '../fixture/command/unprintable';

const PIPE = { width: null, colours: false };
const BLOCK = 64;
const LAST = 0x10ffff;

/** Every code point that there is, lone surrogates included, in texts of 64. */
const TEXTS = Array.from({ length: (LAST + 1) / BLOCK }, (_, block) =>
  String.fromCodePoint(...Array.from({ length: BLOCK }, (_code, index) => block * BLOCK + index)),
);

test('printed text contains no unprintable character of Unicode', () => {
  expect(TEXTS.filter((text) => UNPRINTABLE.test(safeLines(text).text))).toEqual([]);
});

test('a printed table contains no unprintable character of Unicode, and no row is broken', () => {
  const wrong = TEXTS.filter((text) => {
    const { text: table } = formatTable([text], [{ heading: 'A', cell: (cell) => cell }], PIPE);
    return UNPRINTABLE.test(table) || table.split('\n').length !== 2;
  });
  expect(wrong).toEqual([]);
});

test('printed JSON contains no unprintable character of Unicode, and means the same', () => {
  const wrong = TEXTS.filter((text) => {
    const json = printableJson({ [text]: text }, 2);
    return UNPRINTABLE.test(json) || JSON.parse(json)[text] !== text;
  });
  expect(wrong).toEqual([]);
});
