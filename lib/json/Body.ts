import { createHash } from 'node:crypto';

/** The `data` of an answer: the whole of it or, if it is long, a stream of JSON text. */
export type Body =
  | BufferedBody
  | {
      /** `return` must be called if it is not read to its end. */
      readonly stream: TextStream;
    };

/** An answer's text, with the text before and after its data. */
interface Enveloped {
  readonly head: string;
  readonly tail: string;
  readonly text: Buffer;
}

/** The whole `data` of an answer, to be sent any number of times. */
export class BufferedBody {
  /** A weak validator of the data: equal for equal text, whatever stands around it in the answer. */
  readonly etag: string;
  /** The cursor of the next page; null on the last, undefined if there are no pages. */
  readonly nextCursor: string | null | undefined;
  /**
   * JSON text in UTF-8, in parts that follow one another. They lie outside of the heap: an answer that has waited long
   * for its turn is kept long there, with all that it holds.
   */
  readonly #json: readonly Buffer[];
  #enveloped: Enveloped | undefined;

  /** `texts` are JSON text, in parts that follow one another. */
  constructor(texts: readonly string[], nextCursor?: string | null) {
    this.#json = texts.map((text) => Buffer.from(text));
    this.etag = weakEtag(this.#json);
    this.nextCursor = nextCursor;
  }

  /** The data between two texts: created once for all who share it and ask for the same around it, and not to be changed. */
  between(head: string, tail: string): Buffer {
    if (this.#enveloped?.head !== head || this.#enveloped.tail !== tail) {
      const text = Buffer.concat([Buffer.from(head), ...this.#json, Buffer.from(tail)]);
      this.#enveloped = { head, tail, text };
    }
    return this.#enveloped.text;
  }
}

function weakEtag(parts: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url')}"`;
}

/** A text that is read part by part. */
export interface TextStream {
  next(): Promise<IteratorResult<string, void>>;
  /** Stops reading and releases its resources, even if no part was read yet. */
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
    // A generator that has not begun ends without closing its source.
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
