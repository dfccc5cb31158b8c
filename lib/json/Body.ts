import { hash } from 'node:crypto';

/** The `data` of an answer: complete or, if it is long, a stream of JSON text. */
export type Body =
  | BufferedBody
  | {
      /** It has begun: the caller must call `return` if it does not read to the end. */
      readonly stream: AsyncGenerator<string, unknown, undefined>;
    };

export interface Enveloped {
  /** It is shared by all answers with the same envelope, and must not be changed. */
  readonly text: Buffer;
  /** A weak validator of the data: equal for equal data, whatever the envelope. */
  readonly etag: string;
}

/** The complete `data` of an answer, which can be sent any number of times. */
export class BufferedBody {
  /** The cursor of the next page; null on the last page, undefined without pages. */
  readonly nextCursor: string | null | undefined;
  /** The data as JSON text, until it is enveloped for the first time. */
  #json: string;
  /**
   * The same, in UTF-8. It is outside of the heap, where a long wait of an answer would keep everything that it refers
   * to alive for long.
   */
  #bytes: Buffer | undefined;
  #etag = '';
  #enveloped: { readonly head: string; readonly tail: string; readonly text: Buffer } | undefined;

  constructor(json: string, nextCursor?: string | null) {
    this.#json = json;
    this.nextCursor = nextCursor;
  }

  /** Returns the data between two texts, from memory if the last call had the same ones. */
  between(head: string, tail: string): Enveloped {
    if (this.#enveloped?.head !== head || this.#enveloped.tail !== tail) {
      const text = this.#bytes
        ? Buffer.concat([Buffer.from(head), this.#bytes, Buffer.from(tail)])
        : Buffer.from(head + this.#json + tail);
      this.#enveloped = { head, tail, text };
      if (!this.#bytes) {
        this.#bytes = text.subarray(Buffer.byteLength(head), text.length - Buffer.byteLength(tail));
        this.#etag = `W/"${hash('sha256', this.#bytes, 'base64url')}"`;
        this.#json = '';
      }
    }
    return { text: this.#enveloped.text, etag: this.#etag };
  }
}
