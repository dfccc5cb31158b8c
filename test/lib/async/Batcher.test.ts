import { setImmediate as turn } from 'node:timers/promises';
import { Batcher } from '../../../lib/async/Batcher';

/** A batch that is in progress, and how to end it. */
interface UnderWay {
  readonly batch: readonly string[];
  readonly end: (answers: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

type Enter = (batch: (slot: null) => Promise<void>) => Promise<void>;

/** A batcher whose batches end when the test ends them. */
function heldBatcher(enter: Enter = async (batch) => batch(null)) {
  const batches: UnderWay[] = [];
  const run = (batch: readonly string[]) =>
    new Promise<readonly string[]>((end, fail) => batches.push({ batch, end, fail }));
  return { batcher: new Batcher<string, string, null>({ run, enter }), batches };
}

/** Slots that the test gives to one batch after another. */
function heldSlots() {
  const slots: { readonly give: () => void; readonly refuse: (error: Error) => void }[] = [];
  const enter: Enter = async (batch) => {
    await new Promise<void>((give, refuse) => slots.push({ give, refuse }));
    await batch(null);
  };
  return { slots, enter };
}

const upper = (batch: readonly string[]) => batch.map((text) => text.toUpperCase());

describe('A batcher', () => {
  it('sends a request that finds nothing under way in the same turn of the event loop', async () => {
    const { batcher, batches } = heldBatcher();
    const asked = batcher.ask('a');
    await Promise.resolve();
    expect(batches.map(({ batch }) => batch)).toEqual([['a']]);
    batches[0]?.end(['A']);
    expect(await asked).toBe('A');
  });

  it('answers nothing from a batch that began before it was asked', async () => {
    const { batcher, batches } = heldBatcher();
    const first = batcher.ask('a');
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

  it('gathers the requests of a turn after a batch of several, and sends one at once after a batch of one', async () => {
    const { slots, enter } = heldSlots();
    const { batcher, batches } = heldBatcher(enter);
    const ask = (texts: readonly string[]) => Promise.all(texts.map((text) => batcher.ask(text)));
    const answer = async (index: number) => {
      slots[index]?.give();
      await turn();
      batches[index]?.end(upper(batches[index].batch));
    };
    const first = ask(['a', 'b']);
    await answer(0);
    await first;
    const second = ask(['c']);
    expect(slots).toHaveLength(1);
    await turn();
    await answer(1);
    await second;
    const third = ask(['d']);
    expect(slots).toHaveLength(3);
    await answer(2);
    expect(await third).toEqual(['D']);
  });

  it('fails all requests of a batch that fails, and none after it', async () => {
    const { slots, enter } = heldSlots();
    const { batcher, batches } = heldBatcher(enter);
    const failed = Promise.allSettled([batcher.ask('a'), batcher.ask('b')]);
    slots[0]?.give();
    await turn();
    const next = batcher.ask('c');
    batches[0]?.fail(new Error('lost'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    slots[1]?.give();
    await turn();
    batches[1]?.end(['C']);
    expect(await next).toBe('C');
  });

  it('fails all requests of a batch that throws before it begins, and goes on', async () => {
    let isBroken = true;
    const run = (batch: readonly string[]) => {
      if (isBroken) throw new Error('broken');
      return Promise.resolve(upper(batch));
    };
    const batcher = new Batcher<string, string, null>({ run, enter: async (batch) => batch(null) });
    await expect(batcher.ask('a')).rejects.toThrow('broken');
    isBroken = false;
    expect(await batcher.ask('b')).toBe('B');
  });

  it('takes no more than a hundred requests into a batch, and the rest into the next', async () => {
    const { slots, enter } = heldSlots();
    const { batcher, batches } = heldBatcher(enter);
    const texts = Array.from({ length: 101 }, (_, index) => `a${index}`);
    const asked = Promise.all(texts.map((text) => batcher.ask(text)));
    slots[0]?.give();
    await turn();
    batches[0]?.end(upper(batches[0].batch));
    await turn();
    await turn();
    slots[1]?.give();
    await turn();
    batches[1]?.end(upper(batches[1].batch));
    expect(await asked).toEqual(upper(texts));
    expect(batches.map(({ batch }) => batch.length)).toEqual([100, 1]);
  });

  it('starts another batch beside one that takes long', async () => {
    const { batcher, batches } = heldBatcher();
    void batcher.ask('never answered');
    const next = batcher.ask('b');
    while (batches.length < 2) await turn();
    batches[1]?.end(['B']);
    expect(await next).toBe('B');
  });

  it('answers no request with the result of another if a batch does not answer all', async () => {
    const { slots, enter } = heldSlots();
    const { batcher, batches } = heldBatcher(enter);
    const asked = Promise.allSettled([batcher.ask('a'), batcher.ask('b')]);
    slots[0]?.give();
    await turn();
    batches[0]?.end(['A']);
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('takes all requests into a batch that wait when it gets its slot', async () => {
    const { slots, enter } = heldSlots();
    const { batcher, batches } = heldBatcher(enter);
    const asked = ['a', 'b'].map((text) => batcher.ask(text));
    await turn();
    asked.push(batcher.ask('c'));
    await turn();
    expect([slots.length, batches.length]).toEqual([1, 0]);
    slots[0]?.give();
    await turn();
    expect(batches.map(({ batch }) => batch)).toEqual([['a', 'b', 'c']]);
    batches[0]?.end(['A', 'B', 'C']);
    expect(await Promise.all(asked)).toEqual(['A', 'B', 'C']);
  });

  it('fails the requests for which a slot was refused, and none that came later', async () => {
    const { slots, enter } = heldSlots();
    const { batcher, batches } = heldBatcher(enter);
    const early = batcher.ask('a');
    await turn();
    const late = batcher.ask('b');
    slots[0]?.refuse(new Error('full'));
    await expect(early).rejects.toThrow('full');
    await turn();
    slots[1]?.give();
    await turn();
    batches[0]?.end(['B']);
    expect(await late).toBe('B');
  });
});
