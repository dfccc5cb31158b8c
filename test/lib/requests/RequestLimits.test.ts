import type { Hit } from '../../../lib/limiter/Limiter';
import { ApiRequest } from '../../../lib/requests/ApiRequest';
import type { Authenticated } from '../../../lib/requests/authenticateRequest';
import { RequestLimits } from '../../../lib/requests/RequestLimits';

const LIMIT = 10;

const authenticated = (readAt: number, id = 1) =>
  ({
    request: new ApiRequest({} as ApiRequest['arrival'], null, () => undefined),
    token: { id, readAt, rateLimit: null },
    settings: { rateLimitRequests: LIMIT, rateLimitWindowSeconds: 60 },
  }) as unknown as Authenticated;

describe('A head start', () => {
  let underWay = 1;
  let hit: Hit;
  let limits: RequestLimits;

  beforeEach(() => {
    underWay = 1;
    hit = { hits: 1, secondsLeft: 60, resetsAt: 1060 };
    const parts = [{ count: async () => hit }, { count: () => underWay }];
    limits = new RequestLimits(...(parts as unknown as ConstructorParameters<typeof RequestLimits>));
  });

  /** Whether a request may read while it is counted. */
  const readsAhead = async (readAt: number, id = 1): Promise<boolean> => {
    const one = authenticated(readAt, id);
    const isAllowed = limits.allowsHeadStart(one);
    await limits.count(one).catch(() => undefined);
    return isAllowed;
  };

  test('is allowed to the first request', async () => {
    expect(await readsAhead(1000)).toBe(true);
  });

  test('is allowed to a request that is alone, again when the others have left', async () => {
    underWay = 2;
    expect(await readsAhead(1000)).toBe(false);
    underWay = 1;
    expect(await readsAhead(1000)).toBe(true);
  });

  test('is refused to a token until the end of the window that was seen full', async () => {
    hit = { ...hit, hits: LIMIT };
    await readsAhead(1000);
    expect([await readsAhead(1059), await readsAhead(1059, 2), await readsAhead(1060)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('is allowed again if the window is no longer full, as with a limit that was raised', async () => {
    hit = { ...hit, hits: LIMIT };
    await readsAhead(1000);
    hit = { ...hit, hits: 1 };
    await readsAhead(1001);
    expect(await readsAhead(1002)).toBe(true);
  });

  test('is refused for a thousand tokens, and allowed again to the one that was known longest', async () => {
    hit = { ...hit, hits: LIMIT };
    for (let id = 1; id <= 1000; id += 1) await readsAhead(1000, id);
    await readsAhead(1000, 1);
    await readsAhead(1000, 1001);
    expect([await readsAhead(1000, 1), await readsAhead(1000, 3), await readsAhead(1000, 1001)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await readsAhead(1000, 2)).toBe(true);
  });

  test('is still refused for all of a thousand tokens after one whose window is not full', async () => {
    hit = { ...hit, hits: LIMIT };
    for (let id = 1; id <= 1000; id += 1) await readsAhead(1000, id);
    hit = { ...hit, hits: 1 };
    await readsAhead(1000, 1001);
    hit = { ...hit, hits: LIMIT };
    expect(await readsAhead(1000, 1)).toBe(false);
  });
});
