import type { Context } from 'koa';
import { answerInEnvelope } from '../../middleware/answerInEnvelope';
import { authenticate } from '../../middleware/authenticate';
import { KeptAnswers } from '../../middleware/KeptAnswers';
import { limitRate } from '../../middleware/limitRate';
import { logRequest } from '../../middleware/logRequest';
import { Pipeline } from '../../middleware/Pipeline';
import { readQuery } from '../../middleware/readQuery';
import { requireScope } from '../../middleware/requireScope';

test('each middleware receives the value of the one before it, and returns the result of those after it', async () => {
  const seen: unknown[] = [];
  const first = async (_ctx: Context, next: (value: number) => Promise<string>) => {
    seen.push(await next(1));
  };
  const second = async (_ctx: Context, value: number, next: (value: string) => Promise<boolean>) =>
    String(await next(`${value + 1}`));
  const middleware = new Pipeline(first).use(second).end(async (value) => value === '2');
  await middleware({} as never, async () => undefined);
  expect(seen).toEqual(['true']);
});

// The compiler checks it, which fails at each line that compiles against the comment above it.
test('a middleware before the one whose result it needs does not compile', () => {
  const part = {} as never;
  const logged = new Pipeline(logRequest(null, part, part, part)).use(answerInEnvelope(1, new KeptAnswers()));
  const authenticated = logged.use(authenticate(part));
  const limited = authenticated.use(limitRate(part));
  const authorized = limited.use(requireScope(part));
  // @ts-expect-error: the log knows the request, the envelope does not return one.
  new Pipeline(answerInEnvelope(1, new KeptAnswers()));
  // @ts-expect-error: no token was looked up.
  logged.use(limitRate(part));
  // @ts-expect-error: the request was not counted.
  authenticated.use(requireScope(part));
  // @ts-expect-error: the scope was not checked.
  limited.use(readQuery(part));
  // @ts-expect-error: the envelope encloses the step that answers.
  new Pipeline(logRequest(null, part, part, part)).use(authenticate(part));
  expect(authorized.use(readQuery(part))).toBeInstanceOf(Pipeline);
});
