import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { storeLimiter } from '../../../lib/limiter/storeLimiter';

const TOKEN = { id: 7, readAt: 1000, address: null };

function limiterOver(answer: object) {
  const store = { consume: jest.fn(async () => answer), get: jest.fn(async () => null) };
  return { store, limiter: storeLimiter(store as unknown as RateLimiterAbstract) };
}

test('a window of a token is counted under its id and its length', async () => {
  const { store, limiter } = limiterOver({ consumedPoints: 1, msBeforeNext: 1000 });
  await limiter.count(TOKEN, 60);
  expect(store.consume).toHaveBeenCalledWith('7:60', 1, { customDuration: 60 });
});

test.each([
  [60_000, 60],
  [1001, 2],
  [1000, 1],
  [0, 1],
  [-1, 1],
])('a window that ends in %i ms is stated as %i seconds', async (msBeforeNext, secondsLeft) => {
  const { limiter } = limiterOver({ consumedPoints: 3, msBeforeNext });
  expect(await limiter.count(TOKEN, 60)).toEqual({ hits: 3, secondsLeft, resetsAt: 1000 + secondsLeft });
});

// Every comparison of NaN with a limit is false.
test.each([
  ['no number', { consumedPoints: Number.NaN, msBeforeNext: 1000 }],
  ['no end', { consumedPoints: 1, msBeforeNext: undefined }],
])('a count with %s fails', async (_what, answer) => {
  await expect(limiterOver(answer).limiter.count(TOKEN, 60)).rejects.toThrow('The store did not count.');
});

test('a probe reads from the store, and fails if that fails', async () => {
  const { store, limiter } = limiterOver({});
  await limiter.probe();
  expect(store.get).toHaveBeenCalledWith('probe');
  store.get.mockRejectedValue(new Error('gone'));
  await expect(limiter.probe()).rejects.toThrow('gone');
});
