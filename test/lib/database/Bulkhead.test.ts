import { setImmediate as turn } from 'node:timers/promises';
import { Bulkhead, type Holder, type Leave } from '../../../lib/database/ConnectionSlots';

const PATIENCE_MS = 1000;
const onTimeout = () => new Error('timed out');

describe('A bulkhead', () => {
  test('lets no more tasks run at once than it has slots', async () => {
    const bulkhead = new Bulkhead(2);
    let running = 0;
    let most = 0;
    const task = async () => {
      const leave = await bulkhead.enter('one', PATIENCE_MS, onTimeout);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      leave();
    };
    await Promise.all(Array.from({ length: 10 }, task));
    expect(most).toBe(2);
  });

  test('serves the tasks of a holder in the order of their arrival', async () => {
    expect(await orderOf(new Bulkhead(1), ['a1', 'a2', 'a3'])).toEqual(['a1', 'a2', 'a3']);
  });

  test('lets the holders that wait take turns', async () => {
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
    expect(await orderOf(new Bulkhead(1), asked)).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('lets other work run between tasks that never wait', async () => {
    const bulkhead = new Bulkhead(1);
    let turns = 0;
    const count = async () => {
      for (; turns < 20; turns += 1) await turn();
    };
    const counted = count();
    const seen = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const leave = await bulkhead.enter('one', PATIENCE_MS, onTimeout);
        leave();
        return turns;
      }),
    );
    expect(new Set(seen).size).toBe(5);
    await counted;
  });

  test('lets a holder have no more than its share, so that another finds a slot at once', async () => {
    const bulkhead = new Bulkhead(3, 2);
    const leaves = [
      await bulkhead.enter('a', PATIENCE_MS, onTimeout),
      await bulkhead.enter('a', PATIENCE_MS, onTimeout),
    ];
    await expect(bulkhead.enter('a', 20, onTimeout)).rejects.toThrow('timed out');
    leaves.push(await bulkhead.enter('b', PATIENCE_MS, onTimeout));
    for (const leave of leaves) leave();
    expect(await orderOf(bulkhead, ['a1', 'a2', 'a3', 'b1'])).toHaveLength(4);
  });

  test('passes over a holder that has its share already', async () => {
    const bulkhead = new Bulkhead(2, 1);
    const first = await bulkhead.enter('a', PATIENCE_MS, onTimeout);
    const other = await bulkhead.enter('b', PATIENCE_MS, onTimeout);
    const waiting = bulkhead.enter('a', PATIENCE_MS, onTimeout);
    other();
    (await bulkhead.enter('b', PATIENCE_MS, onTimeout))();
    first();
    (await waiting)();
  });

  test('refuses a task that waited too long, and the next one has the slot', async () => {
    const bulkhead = new Bulkhead(1);
    const leave = await bulkhead.enter('a', PATIENCE_MS, onTimeout);
    await expect(bulkhead.enter('b', 20, onTimeout)).rejects.toThrow('timed out');
    leave();
    (await bulkhead.enter('c', PATIENCE_MS, onTimeout))();
  });

  test('frees a slot once, however often it is released', async () => {
    const bulkhead = new Bulkhead(1);
    const leave = await bulkhead.enter('a', PATIENCE_MS, onTimeout);
    leave();
    leave();
    await bulkhead.enter('b', PATIENCE_MS, onTimeout);
    await expect(bulkhead.enter('c', 20, onTimeout)).rejects.toThrow('timed out');
  });
});

/** The order in which tasks, named by a letter of their holder and a number, get a slot. */
async function orderOf(bulkhead: Bulkhead, asked: readonly string[]): Promise<readonly string[]> {
  const order: string[] = [];
  const task = async (name: string) => {
    const leave: Leave = await bulkhead.enter(name[0] as Holder, PATIENCE_MS, onTimeout);
    order.push(name);
    await turn();
    leave();
  };
  await Promise.all(asked.map(task));
  return order;
}
