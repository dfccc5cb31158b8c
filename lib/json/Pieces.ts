/** A text that is read piece by piece. */
export interface Pieces {
  next(): Promise<IteratorResult<string, void>>;
  /** Reads no further and gives back whatever the reading holds, even where no piece was asked for yet. */
  return(): Promise<unknown>;
}

/** The pieces between two texts. */
export function between(head: string, pieces: Pieces, tail: string): Pieces {
  return reading(inTurn(head, pieces, tail), pieces);
}

/** The texts of a generator that reads from `source`, and ends it even if no text was asked for yet. */
export function reading(
  texts: AsyncGenerator<string, void, undefined>,
  source: { return(value: undefined): Promise<unknown> },
): Pieces {
  return {
    next: () => texts.next(),
    // A generator that has not begun would end without a word to what it reads.
    async return() {
      await texts.return();
      await source.return(undefined);
    },
  };
}

async function* inTurn(head: string, pieces: Pieces, tail: string): AsyncGenerator<string, void, undefined> {
  yield head;
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) break;
    yield value;
  }
  yield tail;
}
