import { Blob } from 'node:buffer';
import { pipeline, Readable, Stream } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import type { Context, Response } from 'koa';
import { handleErrors, passOn } from './contextErrors';
import { isOver } from './responseEnds';

const KEPT = Symbol('the body of the kept answer');
const ASIDE = Symbol('the content that replaces it if it is encoded');
const KEPT_HEADER = /^content-(?:type|length)$/i;

type KeptResponse = Response & { [KEPT]?: unknown; [ASIDE]?: SentContent | undefined };

/** What may be encoded content. Koa sends texts and objects too, which never are. */
type SentContent = Buffer | Stream | ReadableStream | Blob;

/**
 * Returns a function that protects the status, the type and the content of an answer of the module's, as if it was sent
 * already, like a long list: an envelope, a redirect or an error page of middleware above the mount does not replace it.
 * That middleware may add headers, and encode the content.
 */
export function protectAnswers(): (ctx: Context) => void {
  // One prototype for all responses of an app: properties of each response would take ten microseconds.
  const prototypes = new WeakMap<Response, object>();
  return (ctx) => {
    const response: KeptResponse = ctx.response;
    response[KEPT] = response.body;
    const koa: Response = Object.getPrototypeOf(response);
    let kept = prototypes.get(koa);
    if (!kept) {
      kept = Object.create(koa, descriptors(koa)) as object;
      prototypes.set(koa, kept);
    }
    Object.setPrototypeOf(response, kept);
    handleErrors(ctx, sendKept);
  };
}

function sendKept(this: Context, error: Error): void {
  if (!this.headerSent && !isOver(this)) send(this);
  // Koa now only reports the error.
  passOn(this, error);
}

function descriptors(koa: Response): PropertyDescriptorMap & ThisType<KeptResponse> {
  return {
    status: {
      get() {
        return Reflect.get(koa, 'status', this);
      },
      set: ignore,
    },
    body: {
      get() {
        if (!isEncoded(this)) return this[KEPT];
        const encoded = this[ASIDE];
        this[ASIDE] = undefined;
        if (encoded !== undefined) Reflect.set(koa, 'body', encoded, this);
        return Reflect.get(koa, 'body', this);
      },
      // Koa destroys the stream that it replaces, and nothing says yet that this content is encoded.
      set(content: unknown) {
        if (!isContent(content)) return;
        this[ASIDE] = content;
        if (content instanceof Stream) leaveOut(content as Readable, this.res);
      },
    },
    set: { value: keeping(koa.set) },
    remove: { value: keeping(koa.remove) },
  };
}

function keeping(method: (...header: never[]) => void) {
  return function keepHeader(this: KeptResponse, ...header: never[]): void {
    if (!KEPT_HEADER.test(String(header[0]))) method.apply(this, header);
    // Some name the encoding before they replace the body, some after it.
    if (isEncoded(this) && !this.headerSent) this.res.removeHeader('Content-Length');
  };
}

function isEncoded({ res }: Response): boolean {
  return res.hasHeader('Content-Encoding');
}

function isContent(content: unknown): content is SentContent {
  return [Buffer, Stream, ReadableStream, Blob].some((type) => content instanceof type);
}

/** Keeps a stream that may never be sent from failing, from staying open, and from holding up what it is fed from. */
function leaveOut(stream: Readable, res: Response['res']): void {
  stream.on('error', ignore);
  res.once('close', () => stream.destroy?.());
  res.once('pipe', (sent) => {
    if (sent !== stream) stream.resume?.();
  });
}

function send({ method, body, res }: Context): void {
  res.flushHeaders();
  if (method === 'HEAD' || !body) res.end();
  else if (Buffer.isBuffer(body) || typeof body === 'string') res.end(body);
  else if (body instanceof Blob) pipeline(Readable.fromWeb(body.stream()), res, ignore);
  else pipeline(body as Readable | ReadableStream, res, ignore);
}

function ignore(): void {}
