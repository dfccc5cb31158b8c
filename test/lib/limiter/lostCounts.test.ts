import { setTimeout as sleep } from 'node:timers/promises';
import { watchLosses } from '../../../lib/limiter/watchLosses';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { redisClients } from '../../fixture/redisClients';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';

describeOwnServer('The log of a panel whose limit is in Redis', 'redis', (start) => {
  describe.each(Object.entries(redisClients))('with %s', (_name, connect) => {
    // biome-ignore lint/suspicious/noExplicitAny: each of the two packages has types of its own.
    let store: any;
    let database: TestDatabase;

    beforeAll(async () => {
      const { url } = await start();
      ({ store } = await connect(url));
      database = await freshDatabase('sqlite');
    });

    const mount = (windowSeconds: number) =>
      startPanel({ db: database.knex, rateLimit: { requests: 1000, windowSeconds, store } });

    const request = (panel: TestPanel, token: string, requests: number) =>
      Promise.all(Array.from({ length: requests }, () => panel.get(ME, token)));

    const losses = ({ log }: TestPanel) =>
      log
        .filter(({ message }) => message === 'panel-api counts lost')
        .map(({ level, fields }) => [level, fields]);

    test('says once that counts are lost', async () => {
      const panel = await mount(HOUR);
      const tokens = [await panel.token(), await panel.token()];
      for (const token of tokens) await request(panel, token, 5);
      await store[store.flushAll ? 'flushAll' : 'flushall']();
      for (const token of [...tokens, ...tokens]) await request(panel, token, 1);
      expect(losses(panel)).toEqual([['warn', {}]]);
    });

    test('says nothing under 200 requests at once', async () => {
      const panel = await mount(HOUR);
      const token = await panel.token();
      await request(panel, token, 200);
      expect(losses(panel)).toEqual([]);
    });

    test('says nothing when windows end, and when the limit of a token or the window changes', async () => {
      const panel = await mount(2);
      const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
      for (let turn = 0; turn < 15; turn += 1) {
        await request(panel, token, 3);
        await sleep(200);
      }
      await panel.api.tokens.update(record.id, { rateLimit: 5 }, AUTHOR);
      await request(panel, token, 3);
      const other = await mount(3);
      await request(other, token, 3);
      expect([...losses(panel), ...losses(other)]).toEqual([]);
    });
  });
});

describe('A watch for lost counts', () => {
  const token = (id: number) => ({ id, readAt: 0, address: null });

  function watch() {
    const answers: Promise<number>[] = [];
    const onLoss = jest.fn();
    const probe = jest.fn(async () => undefined);
    const limiter = watchLosses(
      {
        count: async () => ({ hits: await answers.shift()!, secondsLeft: 60, resetsAt: 60 }),
        probe,
      },
      onLoss,
    );
    const count = (hits: number | Promise<number>, id = 1, windowSeconds = 60) => {
      answers.push(Promise.resolve(hits));
      return limiter.count(token(id), windowSeconds);
    };
    return { count, onLoss, limiter, probe };
  }

  describe('by a clock that the test sets', () => {
    let clock: jest.SpyInstance<number>;

    beforeAll(() => {
      clock = jest.spyOn(performance, 'now');
    });

    afterAll(() => clock.mockRestore());

    const at = (milliseconds: number) => clock.mockReturnValue(milliseconds);

    test.each([
      ['a lower count just before the window can have ended', 4, 58_999, 1],
      ['the same count again', 5, 58_999, 1],
      ['a lower count once the window can have ended', 1, 59_000, 0],
      ['a higher count', 6, 1, 0],
      ['a request that was sent when the count arrived', 1, 0, 0],
    ])('judges %s', async (_what, hits, sentAt, losses) => {
      const { count, onLoss } = watch();
      at(0);
      await count(5);
      at(sentAt);
      await count(hits);
      expect(onLoss).toHaveBeenCalledTimes(losses);
    });

    test.each([
      [59_999, 1],
      [60_000, 2],
    ])('reports losses that are %i ms apart %i times', async (apart, reports) => {
      const { count, onLoss } = watch();
      const loseAt = async (time: number) => {
        at(time - 1);
        await count(5);
        at(time);
        await count(1);
      };
      await loseAt(100_000);
      await loseAt(100_000 + apart);
      expect(onLoss).toHaveBeenCalledTimes(reports);
    });

    test('keeps what it knows of the oldest window when it counts in a known one', async () => {
      const { count, onLoss } = watch();
      at(0);
      for (let id = 1; id <= 1000; id += 1) await count(5, id);
      at(1);
      await count(6, 1000);
      await count(5, 1);
      expect(onLoss).toHaveBeenCalledTimes(1);
    });

    test('compares no counts of windows of different lengths', async () => {
      const { count, onLoss } = watch();
      at(0);
      await count(5);
      at(1);
      await count(1, 1, 61);
      expect(onLoss).not.toHaveBeenCalled();
    });
  });

  test('passes a probe on to the store, and its failure', async () => {
    const { limiter, probe } = watch();
    await limiter.probe();
    expect(probe).toHaveBeenCalledTimes(1);
    probe.mockRejectedValue(new Error('gone'));
    await expect(limiter.probe()).rejects.toThrow('gone');
  });

  test('ignores an answer that was overtaken, however late it is', async () => {
    const { count, onLoss } = watch();
    const late = count(sleep(50).then(() => 1));
    for (const hits of [2, 3]) await count(hits);
    await late;
    await count(4);
    expect(onLoss).not.toHaveBeenCalled();
  });

  test('reports a second loss within a minute only once', async () => {
    const { count, onLoss } = watch();
    for (const hits of [1, 2, 1, 2, 1, 2]) await count(hits);
    expect(onLoss).toHaveBeenCalledTimes(1);
  });

  test('remembers the newest 1,000 windows', async () => {
    const { count, onLoss } = watch();
    for (let id = 1; id <= 1001; id += 1) await count(5, id);
    await count(1, 1);
    expect(onLoss).not.toHaveBeenCalled();
    await count(1, 1001);
    expect(onLoss).toHaveBeenCalledTimes(1);
  });
});
