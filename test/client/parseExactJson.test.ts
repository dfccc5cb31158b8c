import { parseExactJson } from '../../client/parseExactJson';

test.each([
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9007199254740991', 9007199254740991],
])('reads the whole number %s exactly', (text, value) => {
  expect(parseExactJson(text)).toBe(value);
});

test.each(['0.12345678901234567890', '12345678901234567890.5', '12345678901234567890e-2', '1.5e300', '-0'])(
  'reads the number %s as JSON.parse does',
  (text) => {
    expect(parseExactJson(`[${text},12345678901234567890]`)).toEqual([
      JSON.parse(text),
      12345678901234567890n,
    ]);
  },
);

test.each(['00001234567890123456789', '[12345678901234567890', '{"a":12345678901234567890x}'])(
  'refuses %s, which is no JSON',
  (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  },
);

test.each([
  ['a text of digits', '"12345678901234567890"'],
  ['digits in a text', '{"a 12345678901234567890":"x\\" 12345678901234567890, \\\\"}'],
  ['a text that ends with a backslash', '["\\\\",{"1234567890123456":"\\\\\\""}]'],
  ['a text over lines and signs', '"12345678901234567890 \\u2028 😀 \\n"'],
])('leaves %s unchanged', (_what, text) => {
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
});

test('reads long numbers wherever they are', () => {
  const text =
    '{"a":[1,12345678901234567890,{"b":12345678901234567891}],"c":"12345678901234567892","d":null}';
  expect(parseExactJson(text)).toEqual({
    a: [1, 12345678901234567890n, { b: 12345678901234567891n }],
    c: '12345678901234567892',
    d: null,
  });
});

test('reads a long text beside a long number', () => {
  const long = 'x'.repeat(5_000_000);
  expect(parseExactJson(`["${long}",12345678901234567890]`)).toEqual([long, 12345678901234567890n]);
});
