import { closedSchema, printableJson, toJson } from '../../../lib/json/json';

describe('toJson', () => {
  test('returns the same as JSON.stringify if there is no bigint', () => {
    const value = { a: [1, 'ü"\n', null, true], b: undefined, c: { d: 0.5 } };
    expect(toJson(value)).toBe(JSON.stringify(value));
  });

  test('writes a bigint with all its digits, and the rest as JSON.stringify does', () => {
    const value = { a: [9007199254740993n, 'ü"\n'], b: undefined, c: { d: null } };
    expect(toJson(value)).toBe('{"a":[9007199254740993,"ü\\"\\n"],"c":{"d":null}}');
  });

  test.each([
    ['text', String],
    ['a number that is rounded', Number],
  ])('writes all digits of a bigint in a process that has made %s of it', (_, form) => {
    const prototype = BigInt.prototype as { toJSON?: (this: bigint) => unknown };
    prototype.toJSON = function toJSON() {
      return form(this);
    };
    try {
      expect(toJson([{ id: 9007199254740993n, name: 'ü' }])).toBe('[{"id":9007199254740993,"name":"ü"}]');
      expect(toJson(9007199254740993n)).toBe('9007199254740993');
      expect(toJson({ a: [1, new Date(0)] }, 1)).toBe(JSON.stringify({ a: [1, new Date(0)] }, null, 1));
    } finally {
      delete prototype.toJSON;
    }
  });

  test('writes null for what JSON has no form of, also beside a bigint', () => {
    expect(toJson([1n, undefined, () => 1])).toBe('[1,null,null]');
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

describe('printableJson', () => {
  test.each([
    ['plain – ü 🐘', 'plain – ü 🐘'],
    ['a\nb\u001b', 'a\\nb\\u001b'],
    ['\u007f\u009b', '\\u007f\\u009b'],
    ['\u202e\u2028', '\\u202e\\u2028'],
    ['\u{e0001}', '\\udb40\\udc01'],
  ])('writes %j as "%s", which means the same', (text, written) => {
    expect(printableJson(text)).toBe(`"${written}"`);
    expect(JSON.parse(printableJson(text))).toBe(text);
  });

  test('separates lines by line feeds', () => {
    expect(printableJson({ a: 'b' }, 2)).toBe('{\n  "a": "b"\n}');
  });
});

test('a closed schema requires all of its properties and allows no others', () => {
  const closed = { type: 'object', properties: { id: {} }, required: ['id'], additionalProperties: false };
  expect(closedSchema({ id: {} })).toStrictEqual(closed);
});
