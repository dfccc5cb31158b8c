/** A text that is read part by part. */
export interface TextStream {
  next(): Promise<IteratorResult<string, void>>;
  /** Reads no further and releases what the reading holds, even if no part was asked for yet. */
  return(): Promise<unknown>;
}

/** The stream between two texts. */
export function between(head: string, stream: TextStream, tail: string): TextStream {
  return streamOf(inTurn(head, stream, tail), stream);
}

/** The texts of a generator that reads from `source`, and ends it even if no text was asked for yet. */
export function streamOf(
  texts: AsyncGenerator<string, void, undefined>,
  source: { return(value: undefined): Promise<unknown> },
): TextStream {
  return {
    next: () => texts.next(),
    // A generator that has not begun would end without telling what it reads from.
    async return() {
      await texts.return();
      await source.return(undefined);
    },
  };
}

async function* inTurn(
  head: string,
  stream: TextStream,
  tail: string,
): AsyncGenerator<string, void, undefined> {
  yield head;
  for (;;) {
    const { value, done } = await stream.next();
    if (done) break;
    yield value;
  }
  yield tail;
}
