import { BufferedBody, between, type TextStream } from '../../../lib/json/Body';

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

describe('A stream between two texts', () => {
  const closed = jest.fn(async () => undefined);
  const streamBetween = (texts: string[]): TextStream =>
    between(
      '<',
      {
        next: async () => {
          const value = texts.shift();
          return value === undefined ? { done: true, value } : { done: false, value };
        },
        return: closed,
      },
      '>',
    );

  beforeEach(() => closed.mockClear());

  test('consists of them and of its parts', async () => {
    const stream = streamBetween(['a', 'b']);
    const read: unknown[] = [];
    for (let part = await stream.next(); !part.done; part = await stream.next()) read.push(part.value);
    expect(read.join('')).toBe('<ab>');
  });

  test('closes its source, even before the first part was read', async () => {
    await streamBetween(['a']).return();
    expect(closed).toHaveBeenCalledTimes(1);
  });

  test('has no more parts after it was closed', async () => {
    const stream = streamBetween(['a']);
    await stream.next();
    await stream.return();
    expect((await stream.next()).done).toBe(true);
  });
});
