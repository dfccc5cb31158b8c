import { BufferedBody } from '../../../lib/json/Body';

test('a body stands between any two texts, whatever was asked for before', () => {
  const body = new BufferedBody(['{"name":', '"Müller"', '}']);
  const around = (head: string, tail: string) => body.between(head, tail).toString();
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
  expect(around('<', ')')).toBe('<{"name":"Müller"})');
  expect(around('(', ')')).toBe('({"name":"Müller"})');
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
});

test('a body that is asked for twice with the same texts around it is put together once', () => {
  const body = new BufferedBody(['[]']);
  expect(body.between('<', '>')).toBe(body.between('<', '>'));
});
