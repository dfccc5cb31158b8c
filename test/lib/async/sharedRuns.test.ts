import { setImmediate as turn } from 'node:timers/promises';
import { sharedRuns } from '../../../lib/async/sharedRuns';

/** Shared runs that end when the test ends them. */
function heldRuns(patienceMs?: number) {
  const runs: { readonly asked: readonly string[]; readonly end: (result: number) => void }[] = [];
  const fails: ((error: Error) => void)[] = [];
  const ask = sharedRuns<string, number>((asked) => {
    return new Promise((end, fail) => {
      runs.push({ asked, end });
      fails.push(fail);
    });
  }, patienceMs);
  return { ask, runs, fails };
}

describe('A shared run', () => {
  it('is one at a time of each key, and starts after all calls that it answers', async () => {
    const { ask, runs } = heldRuns();
    const first = ask('key', 'a');
    const second = ['b', 'c', 'd'].map((text) => ask('key', text));
    void ask('other key', 'e');
    await turn();
    expect(runs.map(({ asked }) => asked)).toEqual([['a'], ['e']]);
    runs[0]?.end(1);
    expect(await first).toBe(1);
    await turn();
    expect(runs[2]?.asked).toEqual(['b', 'c', 'd']);
    const third = ask('key', 'f');
    runs[2]?.end(2);
    expect(await Promise.all(second)).toEqual([2, 2, 2]);
    await turn();
    runs[3]?.end(3);
    expect([await third, runs.length]).toEqual([3, 4]);
  });

  it('fails for those that it answers, and not for those that wait for the next', async () => {
    const { ask, runs, fails } = heldRuns();
    const failed = ask('key', 'a');
    const next = ask('key', 'b');
    fails[0]?.(new Error('lost'));
    await expect(failed).rejects.toThrow('lost');
    await turn();
    runs[1]?.end(2);
    expect(await next).toBe(2);
  });

  it('starts beside one that takes longer than its patience', async () => {
    const { ask, runs } = heldRuns(1);
    void ask('key', 'never answered');
    const next = ask('key', 'b');
    while (runs.length < 2) await turn();
    runs[1]?.end(2);
    expect(await next).toBe(2);
  });
});
