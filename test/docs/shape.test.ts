import { jsonDifference, textDifference } from './shape';

describe('Printed text', () => {
  test.each([
    ['the same', 'Created token 1.\n', 'Created token 1.\n'],
    ['other numbers', '12 rows, 3.5 MB\n', '7 rows, 1,024 MB\n'],
    ['another token', 'pnl_abc\n', `pnl_${'x'.repeat(46)}\n`],
    ['lines that are left out', 'one\n…\nfour\n', 'one\ntwo\nthree\nfour\n'],
    ['other spaces', 'id  name\n1   Anna\n', 'id      name\n1    Anna\n'],
  ])('is like the shown text if it is %s', (_name, shown, printed) => {
    expect(textDifference(shown, printed)).toBeNull();
  });

  test.each([
    ['another word', 'Created token 1.\n', 'Deleted token 1.\n'],
    ['a line more', 'one\n', 'one\ntwo\n'],
    ['a line less', 'one\ntwo\n', 'one\n'],
    ['a letter for a number', '12 rows\n', 'no rows\n'],
  ])('differs from the shown text by %s', (_name, shown, printed) => {
    expect(textDifference(shown, printed)).not.toBeNull();
  });
});

describe('Printed JSON', () => {
  test.each([
    ['the same', { a: 1 }, { a: 1 }],
    ['another value of the type', { a: 1, b: null }, { a: 2, b: 'x' }],
    ['more items like the first', [{ a: 1 }, '…'], [{ a: 1 }, { a: 2 }]],
    ['members that are left out', { a: 1, '…': '…' }, { a: 1, b: 2 }],
  ])('is like the shown JSON if it is %s', (_name, shown, printed) => {
    expect(jsonDifference(shown, printed)).toBeNull();
  });

  test.each([
    ['another type', { a: 1 }, { a: '1' }, '$.a is string and not number'],
    ['a missing member', { a: 1 }, {}, '$.a is not printed'],
    ['a new member', {}, { a: 1 }, '$.a is not shown'],
    ['fewer items', [1, 2], [1], '$ has 1 items and not 2'],
    ['an item of another shape', [{ a: 1 }, '…'], [{ a: 1 }, { b: 1 }], '$[1].a is not printed'],
  ])('differs from the shown JSON by %s', (_name, shown, printed, difference) => {
    expect(jsonDifference(shown, printed)).toBe(difference);
  });
});
