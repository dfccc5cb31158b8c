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
    ['a word after many lines', '…\nlast\n…\n', 'line\n'.repeat(200)],
    ['another number that is all of a line', '304\n', '200\n'],
  ])('differs from the shown text by %s', (_name, shown, printed) => {
    expect(textDifference(shown, printed)).not.toBeNull();
  });
});

describe('Printed JSON', () => {
  test.each([
    ['the same', { a: 1 }, { a: 1 }],
    ['another duration', { duration_ms: 1 }, { duration_ms: 2.5 }],
    ['another time', { at: '2026-06-12T00:00:00+00:00' }, { at: '2027-01-01T10:00:00+00:00' }],
    ['another cursor', { next_cursor: 'WyIyIl1vZ2Q0dVhqcW9kUTVwU0VL' }, { next_cursor: `${'W'.repeat(30)}` }],
    ['a value for null', { a: null }, { a: 'x' }],
    ['more items like the first', [{ a: 1 }, '…'], [{ a: 1 }, { a: 2 }]],
    ['members that are left out', { a: 1, '…': '…' }, { a: 1, b: 2 }],
  ])('is like the shown JSON if it is %s', (_name, shown, printed) => {
    expect(jsonDifference(shown, printed)).toBeNull();
  });

  test.each([
    ['another type', { a: 1 }, { a: '1' }, '$.a is string and not number'],
    ['another word', { status: 'pass' }, { status: 'warn' }, '$.status is warn and not pass'],
    ['another whole number', { bytes: 3072 }, { bytes: 3 }, '$.bytes is 3 and not 3072'],
    ['another boolean', { allowed: true }, { allowed: false }, '$.allowed is false and not true'],
    ['another order', ['a', 'b'], ['b', 'a'], '$[0] is b and not a'],
    ['a missing member', { a: 1 }, {}, '$.a is not printed'],
    ['a new member', {}, { a: 1 }, '$.a is not shown'],
    ['fewer items', [1, 2], [1], '$ has 1 items and not 2'],
    ['an item of another shape', [{ a: 1 }, '…'], [{ a: 1 }, { b: 1 }], '$[1] has the members b and not a'],
  ])('differs from the shown JSON by %s', (_name, shown, printed, difference) => {
    expect(jsonDifference(shown, printed)).toBe(difference);
  });
});
