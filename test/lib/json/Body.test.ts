import { BufferedBody } from '../../../lib/json/Body';

const named = () => new BufferedBody('{"name":"Müller"}');

test('a body is put between the two texts of each call, whatever the texts of the last call were', () => {
  const body = named();
  const around = (head: string, tail: string) => body.between(head, tail).text.toString();
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
  expect(around('<', ')')).toBe('<{"name":"Müller"})');
  expect(around('(ü', ')')).toBe('(ü{"name":"Müller"})');
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
});

test('a body that is requested twice between the same texts is put together once', () => {
  const body = named();
  expect(body.between('<', '>').text).toBe(body.between('<', '>').text);
});

test('the validator of a body depends on its data alone', () => {
  const { etag } = named().between('<', '>');
  expect(named().between('(ü', ')').etag).toBe(etag);
  expect(new BufferedBody('{"name":"Muller"}').between('<', '>').etag).not.toBe(etag);
});
