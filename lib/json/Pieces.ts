/** A text that is read piece by piece. */
export interface Pieces {
  next(): Promise<IteratorResult<string, void>>;
  /** Reads no further and gives back whatever the reading holds, even where no piece was asked for yet. */
  return(): Promise<unknown>;
}

/** The pieces between two texts. */
export function between(head: string, pieces: Pieces, tail: string): Pieces {
  const texts = inTurn(head, pieces, tail);
  return {
    next: () => texts.next(),
    // A generator that has not begun would end without a word to what it reads.
    async return() {
      await texts.return();
      await pieces.return();
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
