import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../../lib/async/Turns';

const onLate = () => new Error('late');

test('tasks take turns: each begins after the one before has ended, also if that has failed', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} begins`);
    await sleep(5);
    seen.push(`${name} ends`);
    if (name === 'two') throw new Error('failed');
    return name;
  };
  const outcomes = ['one', 'two', 'three'].map((name) =>
    turns.take(task(name), 60_000, onLate).catch((error) => error.message),
  );
  expect(await Promise.all(outcomes)).toEqual(['one', 'failed', 'three']);
  expect(seen).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('a task that would begin too late never runs, and the next one does', async () => {
  const turns = new Turns();
  let ran = 0;
  const first = turns.take(() => sleep(20), 60_000, onLate);
  const late = turns.take(async () => (ran += 1), 1, onLate);
  await expect(late).rejects.toThrow('late');
  await first;
  expect(await turns.take(async () => 'next', 60_000, onLate)).toBe('next');
  expect(ran).toBe(0);
});
