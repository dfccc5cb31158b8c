import type { Context } from 'koa';

const OWN = Symbol("the context's own error handling");

type HandledContext = Context & { [OWN]?: Context['onerror'] };

/**
 * Lets a function handle the errors of a context, unless one of the module's does already: a panel may pass a request to
 * two mounts. It is one function for all requests, because V8 keeps a context with a function of its own alive until the
 * next full collection.
 */
export function handleErrors(ctx: HandledContext, handle: (this: Context, error: Error) => void): void {
  if (ctx[OWN]) return;
  ctx[OWN] = ctx.onerror;
  ctx.onerror = handle;
}

/** Passes an error on to what handled the errors of the context before. */
export function passOn(ctx: HandledContext, error: Error): void {
  ctx[OWN]?.call(ctx, error);
}
