import type { Context, Middleware } from 'koa';

/**
 * A step of the pipeline: receives a value from the step before it and passes another one to the next. `Inner` is the
 * result of the remaining steps, `Outer` its own.
 */
export type Step<In, Out, Outer, Inner = Outer> = (
  ctx: Context,
  value: In,
  next: (value: Out) => Promise<Inner>,
) => Promise<Outer>;

/** Steps in order. A step compiles only if the previous one passes the value that it needs. */
export class Pipeline<Out, Inner> {
  readonly #run: (ctx: Context, next: (value: Out) => Promise<Inner>) => Promise<void>;

  constructor(first: (ctx: Context, next: (value: Out) => Promise<Inner>) => Promise<void>) {
    this.#run = first;
  }

  use<Next, Innermost>(step: Step<Out, Next, Inner, Innermost>): Pipeline<Next, Innermost> {
    return new Pipeline((ctx, next) => this.#run(ctx, (value) => step(ctx, value, next)));
  }

  /** Combines all steps into one Koa middleware that ends with this answer. */
  end(answer: (value: Out) => Promise<Inner>): Middleware {
    return (ctx) => this.#run(ctx as Context, answer);
  }
}
