import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionSlots, type Leave, PoolShare } from '../../../lib/database/ConnectionSlots';

const onTimeout = () => new Error('timed out');

/** How many of these have a slot now. */
async function countEntered(waiting: readonly Promise<Leave>[]): Promise<number> {
  let entered = 0;
  for (const one of waiting)
    one.then(
      () => {
        entered += 1;
      },
      () => undefined,
    );
  for (let index = 0; index < 10; index += 1) await turn();
  return entered;
}

const many = (enter: () => Promise<Leave>) => Array.from({ length: 20 }, enter);

describe('Of the slots at a database', () => {
  test.each([
    // pool, own, reads of one token, reads of two, long lists of one, long lists of two
    [1, 1, 1, 1, 0, 0],
    [2, 1, 1, 1, 0, 0],
    [4, 2, 1, 2, 1, 1],
    [6, 3, 1, 2, 1, 1],
    [10, 5, 2, 4, 1, 2],
    [20, 10, 4, 8, 2, 4],
  ])('with a pool of %i, each has its share', async (pool, own, reads, readsOfTwo, long, longOfTwo) => {
    const count = (enter: (slots: ConnectionSlots) => readonly Promise<Leave>[]) =>
      countEntered(enter(new ConnectionSlots(new PoolShare(pool), 60_000)));
    expect(await count((slots) => many(() => slots.forModule(onTimeout)))).toBe(own);
    expect(await count((slots) => many(() => slots.forRead(1, onTimeout)))).toBe(reads);
    expect(
      await count((slots) => [1, 2].flatMap((token) => many(() => slots.forRead(token, onTimeout)))),
    ).toBe(readsOfTwo);
    if (long === 0) {
      expect(new ConnectionSlots(new PoolShare(pool), 60_000).lendsForLong).toBe(false);
      return;
    }
    expect(await count((slots) => many(() => slots.forLongRead(1, onTimeout)))).toBe(long);
    expect(
      await count((slots) => [1, 2].flatMap((token) => many(() => slots.forLongRead(token, onTimeout)))),
    ).toBe(longOfTwo);
  });

  test('a token has at most two for reads that others share, and delays those of others by no more', async () => {
    const slots = new ConnectionSlots(new PoolShare(20), 60_000);
    const enteredOf = (token: number) => countEntered(many(() => slots.forRead('metrics', onTimeout, token)));
    expect([await enteredOf(1), await enteredOf(2), await enteredOf(3)]).toEqual([2, 2, 0]);
  });

  test.each([6, 10, 20])(
    "with a pool of %i, one is free for the module's own statements, whatever tokens read",
    async (pool) => {
      const slots = new ConnectionSlots(new PoolShare(pool), 60_000);
      for (const token of [1, 2, 3])
        await countEntered([
          ...many(() => slots.forLongRead(token, onTimeout)),
          ...many(() => slots.forRead(token, onTimeout)),
        ]);
      expect(await countEntered([slots.forModule(onTimeout)])).toBe(1);
    },
  );

  test("with a pool of 2, a statement of the module's own waits for one read at most", async () => {
    const slots = new ConnectionSlots(new PoolShare(2), 60_000);
    const first = await slots.forRead(1, onTimeout);
    const order: string[] = [];
    const enter = async (name: string, entering: Promise<Leave>) => {
      const leave = await entering;
      order.push(name);
      leave();
    };
    const waiting = [
      ...[1, 2, 3].map((token) => enter('read', slots.forRead(token, onTimeout))),
      ...['own', 'own'].map((name) => enter(name, slots.forModule(onTimeout))),
    ];
    first();
    await Promise.all(waiting);
    expect(order.indexOf('own')).toBeLessThanOrEqual(1);
    expect(order.lastIndexOf('own')).toBeLessThanOrEqual(3);
  });

  test('all are free again, in whatever order they are left or refused', async () => {
    const slots = new ConnectionSlots(new PoolShare(10), 5);
    const outcomes = await Promise.allSettled(
      [1, 2].flatMap((token) => [
        ...many(() => slots.forRead(token, onTimeout)),
        ...many(() => slots.forLongRead(token, onTimeout)),
        ...many(() => slots.forModule(onTimeout)),
      ]),
    );
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') outcome.value();
    expect(await countEntered(many(() => slots.forModule(onTimeout)))).toBe(5);
  });

  test('one is free again for others if a read gets no second one', async () => {
    const slots = new ConnectionSlots(new PoolShare(4), 20);
    const own = await Promise.all([slots.forModule(onTimeout), slots.forModule(onTimeout)]);
    await expect(slots.forRead(1, onTimeout)).rejects.toThrow('timed out');
    for (const leave of own) leave();
    expect(await countEntered([slots.forRead(1, onTimeout)])).toBe(1);
  });
});
