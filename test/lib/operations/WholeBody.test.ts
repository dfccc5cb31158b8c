import { WholeBody } from '../../../lib/operations/WholeBody';

test('a whole stands between any two texts, whoever asked for it before', () => {
  const body = new WholeBody(['{"name":', '"Müller"', '}']);
  const around = (head: string, tail: string) => body.between(head, tail).toString();
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
  expect(around('<', ')')).toBe('<{"name":"Müller"})');
  expect(around('(', ')')).toBe('({"name":"Müller"})');
  expect(around('<', '>')).toBe('<{"name":"Müller"}>');
});

test('those who ask for the same around a whole get the same text of it', () => {
  const body = new WholeBody(['[]']);
  expect(body.between('<', '>')).toBe(body.between('<', '>'));
});
