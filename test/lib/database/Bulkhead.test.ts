import { Bulkhead } from '../../../lib/database/Bulkhead';

const tired = () => new Error('tired');

describe('A bulkhead', () => {
  test('lets no more tasks run at once than it has places', async () => {
    const bulkhead = new Bulkhead(2, 1000);
    let running = 0;
    let most = 0;
    const task = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => bulkhead.run(task, tired)));
    expect(most).toBe(2);
  });

  test('serves those who wait in the order in which they came', async () => {
    const bulkhead = new Bulkhead(1, 1000);
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((turn) => bulkhead.run(async () => order.push(turn), tired)));
    expect(order).toEqual([1, 2, 3]);
  });

  test('turns away who waited too long, and the place goes to the next', async () => {
    const bulkhead = new Bulkhead(1, 20);
    let release = () => {};
    const held = bulkhead.run(() => new Promise<void>((resolve) => (release = resolve)), tired);
    await expect(bulkhead.run(async () => 'late', tired)).rejects.toThrow('tired');
    release();
    await held;
    expect(await bulkhead.run(async () => 'next', tired)).toBe('next');
  });

  test('gives a place back when its task fails', async () => {
    const bulkhead = new Bulkhead(1, 20);
    await expect(bulkhead.run(() => Promise.reject(new Error('broken')), tired)).rejects.toThrow('broken');
    expect(await bulkhead.run(async () => 'next', tired)).toBe('next');
  });
});
