import type { Field } from '../../../lib/fields';
import { count, flag, id, integer, percent, text, textList, word } from '../../../lib/fields';

const read = (field: Field, raw: unknown, type = 'varchar') => field.reader({ name: 'column', type })(raw);

describe('A field', () => {
  test.each([
    [1, true],
    [0, false],
    [1n, true],
    [0n, false],
    ['1', true],
    ['0', false],
    ['y', true],
    ['Y', true],
    ['N', false],
    [' yes ', true],
    ['', false],
    [true, true],
    [Buffer.from([1]), true],
    [Buffer.from([0]), false],
    [Buffer.from('y'), true],
    ['perhaps', null],
    [null, null],
  ])('of type flag reads %p as %p', (raw, value) => {
    expect(read(flag(''), raw)).toBe(value);
  });

  test.each([
    [5, 5],
    ['5', 5],
    ['9007199254740993', 9007199254740993n],
    ['-7', -7],
    ['12.90', 12],
    [12.9, 12],
    [9007199254740993n, 9007199254740993n],
    [7n, 7],
    ['+7', 7],
    ['5e+06', 5_000_000],
    ['1.234567890123456e+15', 1_234_567_890_123_456],
    ['seven', null],
    ['', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
  ])('of type integer reads %p as %p', (raw, value) => {
    expect(read(integer(''), raw)).toBe(value);
  });

  test.each([
    [-1, null],
    ['-1024', null],
    [0, 0],
  ])('of type count reads %p as %p', (raw, value) => {
    expect(read(count(''), raw)).toBe(value);
  });

  test.each([
    [40, 40],
    ['99.5', 99.5],
    [-3, 0],
    [250, 100],
    ['', null],
    ['much', null],
  ])('of type percent reads %p as %p', (raw, value) => {
    expect(read(percent(''), raw)).toBe(value);
  });

  test.each([
    ['a, b;c', ['a', 'b', 'c']],
    ['["a b","c"]', ['a b', 'c']],
    ['[broken', ['[broken']],
    [
      ['a', 1],
      ['a', '1'],
    ],
    ['', []],
    [null, []],
  ])('of type textList reads %p as %p', (raw, value) => {
    expect(read(textList(''), raw)).toEqual(value);
  });

  test.each([
    ['a\ud800b', 'a\ufffdb'],
    [12, '12'],
    [Buffer.from([0x61, 0xff]), 'a\ufffd'],
    [null, null],
  ])('of type text reads %p as %p', (raw, value) => {
    expect(read(text(''), raw)).toBe(value);
  });

  test('of type word is exactly the stored text, and null if that is empty', () => {
    expect([read(word('', []), ' active '), read(word('', []), '')]).toEqual([' active ', null]);
  });

  test('of type id is an integer if the column is one, and otherwise text', () => {
    expect(read(id(''), '12', 'bigint')).toBe(12);
    expect(read(id(''), '0012', 'varchar')).toBe('0012');
  });
});
