import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { FetchInfo } from './Fetcher';

/** How many bytes of an answer wait for the reader: as many as the module writes at once. */
const MOST_WAITING = 2 ** 16;

const HEAD_END = '\r\n\r\n';

/** Headers of one connection (RFC 9110, section 7.6.1). */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding']);

const WITHOUT_BODY = new Set([204, 205, 304]);

/** The client has left before it had the whole answer, or the answer was broken off. */
export const CLIENT_LEFT = 499;

/**
 * The connection of one answer of Node's, which becomes a `Response`: it takes the text that Node writes, the head and then
 * the body as it is, and takes no more than the reader of the body has room for.
 */
export class FetchConnection extends Duplex {
  /** Where Koa reads the address and the protocol. */
  readonly remoteAddress: string | undefined;
  readonly encrypted: boolean;
  /** The answer, as soon as its head is written. */
  readonly response: Promise<Response>;
  /** Whether the whole answer was written. */
  delivered = false;
  readonly #isHead: boolean;
  #respond: (response: Response) => void = () => undefined;
  #hasBegun = false;
  /** The head of an answer whose length is known, until its body is written. */
  #head: { readonly status: number; readonly headers: Headers } | undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #written: (() => void) | undefined;

  constructor({ method, signal }: Request, { address, secure = false }: FetchInfo) {
    super();
    this.remoteAddress = address;
    this.encrypted = secure;
    this.#isHead = method === 'HEAD';
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
    const leave = () => this.destroy();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    this.once('close', () => signal.removeEventListener('abort', leave));
  }

  /** Takes what this response writes. */
  carry(response: ServerResponse): void {
    // Without chunks, and without a date, which the host writes.
    response.useChunkedEncodingByDefault = false;
    response.sendDate = false;
    response.assignSocket(this as unknown as Socket);
    this.on('drain', () => response.emit('drain'));
    response.once('finish', () => {
      this.delivered = true;
      // Within this event, it would be an error for Node, whose stack costs more than the turn.
      process.nextTick(() => this.destroy());
    });
  }

  /** Its own limits of time end a request. */
  setTimeout(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, written: () => void): void {
    const body = this.#hasBegun ? chunk : this.#begin(chunk);
    if (body.length > 0) this.#add(body);
    if (body.length === 0 || (this.#body?.desiredSize ?? 1) > 0) written();
    else this.#written = written;
  }

  #add(body: Buffer): void {
    const head = this.#head;
    this.#head = undefined;
    // What is in memory as a whole needs no stream.
    if (head?.headers.get('Content-Length') === `${body.length}`) this.#respondWhole(body, head);
    else {
      if (head) this.#respond(new Response(this.#stream(), head));
      this.#body?.enqueue(body);
    }
  }

  /** Answers with all that there is. Deno aborts the signal when it has sent it, which may be before the event of Node's. */
  #respondWhole(body: Buffer | null, head: ResponseInit): void {
    this.delivered = true;
    this.#respond(new Response(body, head));
  }

  override _destroy(_error: Error | null, callback: (error: null) => void): void {
    if (this.#head && this.delivered) this.#respond(new Response(null, this.#head));
    else if (!this.#hasBegun || this.#head) this.#respond(new Response(null, { status: CLIENT_LEFT }));
    if (this.delivered) this.#body?.close();
    else this.#body?.error(new Error('The answer was broken off.'));
    callback(null);
  }

  /** Begins the answer when its head is written, which Node does at once. Returns what follows the head. */
  #begin(chunk: Buffer): Buffer {
    const length = chunk.indexOf(HEAD_END);
    const [statusLine = '', ...lines] = chunk.toString('latin1', 0, length).split('\r\n');
    const rest = chunk.subarray(length + HEAD_END.length);
    const status = Number(statusLine.split(' ')[1]);
    if (status < 200) return rest.length > 0 ? this.#begin(rest) : rest;
    const headers = new Headers();
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':'));
      if (!OF_CONNECTION.has(name.toLowerCase())) headers.append(name, line.slice(name.length + 1).trim());
    }
    this.#hasBegun = true;
    // A panel's own answer may have more than `Response` takes.
    const head = { status: status > 599 ? 500 : status, headers };
    if (this.#isHead || WITHOUT_BODY.has(status)) this.#respondWhole(null, head);
    else if (headers.has('Content-Length')) this.#head = head;
    else this.#respond(new Response(this.#stream(), head));
    return rest;
  }

  #stream(): ReadableStream<Uint8Array> {
    const room = new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING });
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => {
          const written = this.#written;
          this.#written = undefined;
          written?.();
        },
        cancel: () => {
          this.#body = undefined;
          this.destroy();
        },
      },
      room,
    );
  }
}

/** The path and query of a request: from the router's prefix on, and as the client sent them. */
export interface Urls {
  readonly url: string;
  readonly originalUrl: string;
}

/** Node's form of a `Request`. It reads the body only if it is asked for. */
export class FetchRequest extends IncomingMessage {
  /** Becomes `ctx.state`. */
  readonly panelState: object | undefined;
  /** Where the frameworks over Node's `http` keep the path that the client sent. */
  readonly originalUrl: string;
  readonly #given: Request;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(connection: FetchConnection, request: Request, urls: Urls, state: object | undefined) {
    super(connection as unknown as Socket);
    this.#given = request;
    this.method = request.method;
    this.url = urls.url;
    this.originalUrl = urls.originalUrl;
    this.panelState = state;
    const headers = Object.fromEntries(request.headers);
    headers.host ??= new URL(request.url).host;
    // By this header a body is expected (RFC 9112, section 6), also if the panel has made the request itself.
    if (request.body && headers['content-length'] === undefined) headers['transfer-encoding'] ??= 'chunked';
    this.headers = headers;
    this.rawHeaders = Object.entries(headers).flat();
    connection.once('close', () => {
      this.destroy(connection.delivered ? undefined : new Error('The connection was closed.'));
    });
  }

  override _read(): void {
    this.#reader ??= this.#given.body?.getReader();
    if (!this.#reader) {
      this.complete = true;
      this.push(null);
      return;
    }
    this.#reader.read().then(
      ({ done, value }) => {
        this.complete = done;
        // Node asks no more after an empty part.
        if (value?.length === 0) this._read();
        else this.push(done ? null : value);
      },
      () => this.socket.destroy(),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    void this.#reader?.cancel().catch(() => undefined);
    callback(this.listenerCount('error') > 0 ? error : null);
  }
}
