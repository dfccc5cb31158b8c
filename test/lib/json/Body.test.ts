import { BufferedBody } from '../../../lib/json/Body';

test('a body is put between the two texts of each call, whatever the texts of the last call were', () => {
  const body = new BufferedBody(['{"name":', '"Müller"', '}']);
  const around = (head: string, tail: string) => body.between(head, tail).toString();
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
  expect(around('<', ')')).toBe('<{"name":"Müller"})');
  expect(around('(', ')')).toBe('({"name":"Müller"})');
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
});

test('a body that is requested twice between the same texts is put together once', () => {
  const body = new BufferedBody(['[]']);
  expect(body.between('<', '>')).toBe(body.between('<', '>'));
});
