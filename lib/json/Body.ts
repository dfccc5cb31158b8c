import { createHash } from 'node:crypto';

/** The `data` of an answer: complete or, if it is long, a stream of JSON text. */
export type Body =
  | BufferedBody
  | {
      /** The caller must call `return` if it does not read to the end. */
      readonly stream: TextStream;
    };

/** An answer's text, with the envelope around its data. */
interface Enveloped {
  readonly head: string;
  readonly tail: string;
  readonly text: Buffer;
}

/** The complete `data` of an answer, which can be sent any number of times. */
export class BufferedBody {
  /** A weak validator of the data: equal for equal text, whatever the envelope. */
  readonly etag: string;
  /** The cursor of the next page; null on the last page, undefined without pages. */
  readonly nextCursor: string | null | undefined;
  /**
   * JSON text in UTF-8, in consecutive parts. They are outside of the heap, where a long wait of an answer would keep
   * everything that it refers to alive for long.
   */
  readonly #json: readonly Buffer[];
  #enveloped: Enveloped | undefined;

  /** `texts` are consecutive parts of JSON text. */
  constructor(texts: readonly string[], nextCursor?: string | null) {
    this.#json = texts.map((text) => Buffer.from(text));
    this.etag = weakEtag(this.#json);
    this.nextCursor = nextCursor;
  }

  /**
   * The data with this envelope. It is created once for all answers with the same envelope, and must not be changed.
   */
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
  /** Stops reading and releases its resources, even before the first part was read. */
  return(): Promise<unknown>;
}

/** The stream between two texts. */
export function between(head: string, stream: TextStream, tail: string): TextStream {
  return streamOf(inTurn(head, stream, tail), stream);
}

/**
 * The texts of a generator that reads from `source`. Closing it closes the source, even before the first text was read.
 */
export function streamOf(
  texts: AsyncGenerator<string, void, undefined>,
  source: { return(value: undefined): Promise<unknown> },
): TextStream {
  return {
    next: () => texts.next(),
    // A generator that has not started ends without closing its source.
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
