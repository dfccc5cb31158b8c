import type { Context, Middleware } from 'koa';

/**
 * A middleware of the pipeline: it receives a value from the one before it, and passes another to the next one.
 * `Inner` is the result of the rest of the pipeline, `Outer` the middleware's own.
 */
export type Step<In, Out, Outer, Inner = Outer> = (
  ctx: Context,
  value: In,
  next: (value: Out) => Promise<Inner>,
) => Promise<Outer>;

/** Middlewares one after another. A middleware compiles only if the one before passes the value that it needs. */
export class Pipeline<Out, Inner> {
  readonly #run: (ctx: Context, next: (value: Out) => Promise<Inner>) => Promise<void>;

  constructor(first: (ctx: Context, next: (value: Out) => Promise<Inner>) => Promise<void>) {
    this.#run = first;
  }

  use<Next, Innermost>(step: Step<Out, Next, Inner, Innermost>): Pipeline<Next, Innermost> {
    return new Pipeline((ctx, next) => this.#run(ctx, (value) => step(ctx, value, next)));
  }

  /** All of it as one middleware of Koa, which ends with this answer. */
  end(answer: (value: Out) => Promise<Inner>): Middleware {
    return (ctx) => this.#run(ctx as Context, answer);
  }
}
