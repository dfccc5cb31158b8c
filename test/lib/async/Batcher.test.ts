import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { Batcher, sharedRun } from '../../../lib/async/Batcher';

/** A batch that is in progress, and how to end it. */
interface UnderWay {
  readonly batch: readonly string[];
  readonly end: (answers: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** A batcher whose batches end when the test ends them. */
function heldBatcher(options?: ConstructorParameters<typeof Batcher<string, string>>[1]) {
  const batches: UnderWay[] = [];
  const batcher = new Batcher<string, string>(
    (batch) => new Promise((end, fail) => batches.push({ batch, end, fail })),
    options,
  );
  return { batcher, batches };
}

const upper = (batch: readonly string[]) => batch.map((text) => text.toUpperCase());

describe('A batcher', () => {
  it('takes the requests of one turn together, and answers each with its own result', async () => {
    const { batcher, batches } = heldBatcher();
    const asked = Promise.all(['a', 'b', 'c'].map((text) => batcher.ask(text)));
    await turn();
    expect(batches.map(({ batch }) => batch)).toEqual([['a', 'b', 'c']]);
    batches[0]?.end(['A', 'B', 'C']);
    expect(await asked).toEqual(['A', 'B', 'C']);
  });

  it('answers nothing from a batch that began before it was asked', async () => {
    const { batcher, batches } = heldBatcher({ patienceMs: 60_000 });
    const first = batcher.ask('a');
    await turn();
    const others = Promise.all([batcher.ask('a'), batcher.ask('b')]);
    await turn();
    expect(batches).toHaveLength(1);
    batches[0]?.end(['from the first']);
    expect(await first).toBe('from the first');
    await turn();
    expect(batches[1]?.batch).toEqual(['a', 'b']);
    batches[1]?.end(['from the second', 'B']);
    expect(await others).toEqual(['from the second', 'B']);
  });

  it('fails all requests of a batch that fails, and none after it', async () => {
    const { batcher, batches } = heldBatcher();
    const failed = Promise.allSettled([batcher.ask('a'), batcher.ask('b')]);
    await turn();
    batches[0]?.fail(new Error('lost'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = batcher.ask('c');
    await turn();
    batches[1]?.end(['C']);
    expect(await next).toBe('C');
  });

  it('tells why a batch failed in a room only to the requests of its name', async () => {
    const nameOf = (text: string) => text.slice(0, 1);
    const { batcher, batches } = heldBatcher({ nameOf });
    const failed = [batcher.ask('a1'), batcher.ask('a2')];
    const others = [batcher.ask('b1'), batcher.ask('c1')];
    const outcomes = Promise.allSettled(failed);
    await turn();
    expect(batches.map(({ batch }) => batch)).toEqual([['a1', 'a2', 'b1', 'c1']]);
    batches[0]?.fail(new Error('lost'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    expect(batches[1]?.batch).toEqual(['b1', 'c1']);
    batches[1]?.end(['B1', 'C1']);
    expect(await Promise.all(others)).toEqual(['B1', 'C1']);
  });

  it('asks again for the requests of other names if a batch fails after the next one could begin', async () => {
    const { batcher, batches } = heldBatcher({ nameOf: (text) => text, patienceMs: 1 });
    const failed = batcher.ask('a').catch(() => 'failed');
    const other = batcher.ask('b');
    await sleep(20);
    batches[0]?.fail(new Error('lost'));
    expect(await failed).toBe('failed');
    await turn();
    expect(batches[1]?.batch).toEqual(['b']);
    batches[1]?.end(['B']);
    expect(await other).toBe('B');
  });

  it('fails all requests of a batch that throws before it begins', async () => {
    const batcher = new Batcher<string, string>(() => {
      throw new Error('broken');
    });
    await expect(batcher.ask('a')).rejects.toThrow('broken');
    expect(batcher.idle).toBe(true);
  });

  it('takes no more requests into a batch than allowed, and the rest into the next', async () => {
    const { batcher, batches } = heldBatcher({ most: 2 });
    const asked = Promise.all(['a', 'b', 'c'].map((text) => batcher.ask(text)));
    await turn();
    batches[0]?.end(upper(batches[0].batch));
    await turn();
    await turn();
    batches[1]?.end(upper(batches[1].batch));
    expect(await asked).toEqual(['A', 'B', 'C']);
    expect(batches.map(({ batch }) => batch.length)).toEqual([2, 1]);
  });

  it('starts another batch beside one that takes long', async () => {
    const { batcher, batches } = heldBatcher({ patienceMs: 1 });
    void batcher.ask('never answered');
    await turn();
    const next = batcher.ask('b');
    while (batches.length < 2) await turn();
    batches[1]?.end(['B']);
    expect(await next).toBe('B');
  });

  it('answers no request with the result of another if a batch does not answer all', async () => {
    const { batcher, batches } = heldBatcher();
    const asked = Promise.allSettled([batcher.ask('a'), batcher.ask('b')]);
    await turn();
    batches[0]?.end(['A']);
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('is idle again when all requests are answered', async () => {
    const { batcher, batches } = heldBatcher();
    const asked = batcher.ask('a');
    expect(batcher.idle).toBe(false);
    await turn();
    expect(batcher.idle).toBe(false);
    batches[0]?.end(['A']);
    await asked;
    expect(batcher.idle).toBe(true);
  });

  it('begins a batch only when there is room, with all requests that wait by then', async () => {
    const rooms: (() => void)[] = [];
    const { batcher, batches } = heldBatcher({
      enter: async (_asked, batch) => {
        await new Promise<void>((resolve) => rooms.push(resolve));
        await batch(undefined);
      },
    });
    const asked = ['a', 'b'].map((text) => batcher.ask(text));
    await turn();
    asked.push(batcher.ask('c'));
    await turn();
    await turn();
    expect([rooms.length, batches.length]).toEqual([1, 0]);
    rooms[0]?.();
    await turn();
    expect(batches.map(({ batch }) => batch)).toEqual([['a', 'b', 'c']]);
    batches[0]?.end(['A', 'B', 'C']);
    expect(await Promise.all(asked)).toEqual(['A', 'B', 'C']);
  });

  it('uses the first room that becomes free under one of several names, and not the other', async () => {
    const rooms = new Map<string, () => void>();
    const { batcher, batches } = heldBatcher({
      nameOf: (asked) => asked,
      enter: async (asked, batch) => {
        await new Promise<void>((resolve) => rooms.set(asked, resolve));
        await batch(undefined);
      },
    });
    const asked = Promise.all(['a', 'b'].map((text) => batcher.ask(text)));
    await turn();
    rooms.get('b')?.();
    await turn();
    rooms.get('a')?.();
    await turn();
    expect(batches.map(({ batch }) => batch)).toEqual([['a', 'b']]);
    batches[0]?.end(['A', 'B']);
    expect(await asked).toEqual(['A', 'B']);
    expect(batcher.idle).toBe(true);
  });

  it('fails the requests that waited for a room that was refused, and none that came later', async () => {
    const rooms: { readonly find: () => void; readonly fail: (error: Error) => void }[] = [];
    const { batcher, batches } = heldBatcher({
      enter: async (_asked, batch) => {
        await new Promise<void>((find, fail) => rooms.push({ find, fail }));
        await batch(undefined);
      },
    });
    const early = batcher.ask('a');
    await turn();
    const late = batcher.ask('b');
    rooms[0]?.fail(new Error('full'));
    await expect(early).rejects.toThrow('full');
    await turn();
    rooms[1]?.find();
    await turn();
    batches[0]?.end(['B']);
    expect(await late).toBe('B');
  });
});

describe('A shared run', () => {
  it('is one at a time, and starts after all calls that it answers', async () => {
    const ends: ((result: number) => void)[] = [];
    const runs = sharedRun((_asked: string) => new Promise<number>((resolve) => ends.push(resolve)));
    const run = (asked: string) => runs.ask(asked);
    const first = [run('a'), run('b')];
    await turn();
    const second = [run('c'), run('d'), run('e')];
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]?.(1);
    expect(await Promise.all(first)).toEqual([1, 1]);
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]?.(2);
    expect(await Promise.all(second)).toEqual([2, 2, 2]);
  });
});
