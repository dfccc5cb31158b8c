import { toJson } from '../../../lib/json/json';

describe('toJson', () => {
  test('returns the same as JSON.stringify if there is no bigint', () => {
    const value = { a: [1, 'ü"\n', null, true], b: undefined, c: { d: 0.5 } };
    expect(toJson(value)).toBe(JSON.stringify(value));
  });

  test('writes a bigint with all its digits, and the rest as JSON.stringify does', () => {
    const value = { a: [9007199254740993n, 'ü"\n'], b: undefined, c: { d: null } };
    expect(toJson(value)).toBe('{"a":[9007199254740993,"ü\\"\\n"],"c":{"d":null}}');
  });

  test('does not hide an error that has nothing to do with bigint', () => {
    const value = {
      toJSON() {
        throw new RangeError('no');
      },
    };
    expect(() => toJson(value)).toThrow(RangeError);
  });
});
