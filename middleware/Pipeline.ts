import type { Context, Middleware } from 'koa';

/**
 * A middleware of the pipeline: it is given what the one before it found out, and hands on what the next one needs.
 * `Inner` is what the rest of the pipeline returns to it, `Outer` what it returns itself.
 */
export type Step<In, Out, Outer, Inner = Outer> = (
  ctx: Context,
  value: In,
  next: (value: Out) => Promise<Inner>,
) => Promise<Outer>;

/** Middlewares one after another. One that needs what none before it hands on does not compile. */
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
