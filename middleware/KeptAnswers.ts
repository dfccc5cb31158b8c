import { pipeline, type Readable, Stream } from 'node:stream';
import type { Context, Response } from 'koa';
import { isOver } from './responses';

const KEPT = Symbol('the body of the kept answer');
const KEPT_HEADER = /^content-(?:type|length)$/i;

type KeptResponse = Response & { [KEPT]?: unknown };

/**
 * Keeps the status, the type and the content of the module's answers, as if they were sent already, like a long list: an
 * envelope, a redirect or an error page of middleware above the mount does not replace them. That middleware may add
 * headers, and encode the content.
 */
export class KeptAnswers {
  // One prototype for all responses of an app: properties of each response would take ten microseconds.
  readonly #prototypes = new WeakMap<object, object>();

  keep(ctx: Context): void {
    const { onerror } = ctx;
    const response: KeptResponse = ctx.response;
    response[KEPT] = response.body;
    Object.setPrototypeOf(response, this.#keptPrototype(Object.getPrototypeOf(response)));
    ctx.onerror = (error) => {
      if (!ctx.headerSent && !isOver(ctx)) send(ctx);
      // Koa now only reports the error.
      onerror.call(ctx, error);
    };
  }

  #keptPrototype(koa: Response): object {
    const known = this.#prototypes.get(koa);
    if (known) return known;
    const kept = Object.create(koa, descriptors(koa));
    this.#prototypes.set(koa, kept);
    return kept;
  }
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
        return isEncoded(this) ? Reflect.get(koa, 'body', this) : this[KEPT];
      },
      set(content: unknown) {
        if (Buffer.isBuffer(content) || content instanceof Stream) Reflect.set(koa, 'body', content, this);
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

function send({ method, body, res }: Context): void {
  res.flushHeaders();
  if (body instanceof Stream) pipeline(body as Readable, res, ignore);
  else res.end(method === 'HEAD' ? undefined : (body ?? undefined));
}

function ignore(): void {}
