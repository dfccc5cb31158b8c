import { Bulkhead } from '../../lib/database/ConnectionSlots';
import type { World } from './World';

export function bulkhead(world: World): () => Promise<void> {
  const slots = 1 + world.upTo(3);
  const mostEach = 1 + world.upTo(slots);
  const holders = 1 + world.upTo(3);
  const count = 3 + world.upTo(5);
  const room = new Bulkhead(slots, mostEach, world);
  /** The holders that are in, one entry per slot. */
  const inside: number[] = [];
  /** The holders of the tasks that had to wait, in the order in which they entered. */
  const entered: number[] = [];
  /** The last entry of each holder. */
  const last = new Map<number, number>();
  /** The latest request of each holder that has entered. */
  const latest = new Map<number, number>();
  let waiting = 0;
  let ended = 0;
  const held = (holder: number) => inside.filter((one) => one === holder).length;

  async function task(index: number, holder: number, goOn: () => void): Promise<void> {
    world.note(`task ${index} of ${holder} arrives`);
    const patienceMs = world.oneOf([5, 20, 1000]);
    const since = world.now();
    const step = world.steps;
    const late = new Error('late');
    waiting += 1;
    const from = { entries: entered.length, turns: world.turnsToCome };
    let leave: () => void;
    try {
      leave = await room.enter(holder, patienceMs, () => late);
    } catch (error) {
      waiting -= 1;
      ended += 1;
      const lateBy = world.now() - since - patienceMs;
      world.must(error === late && lateBy >= 0 && lateBy <= 2, 'A task that gets no slot fails in time.');
      const isFull = inside.length + world.turnsToCome >= slots;
      world.must(
        isFull || held(holder) + world.turnsToCome >= mostEach,
        'No slot is free while a task waits.',
      );
      return;
    }
    waiting -= 1;
    const hasWaited = world.steps > step;
    world.note(`task ${index} of ${holder} is in`);
    inside.push(holder);
    world.must(inside.length <= slots, 'No more tasks at once than slots.');
    world.must(held(holder) <= mostEach, 'No more slots for a holder than its share.');
    world.must(index > (latest.get(holder) ?? -1) || mostEach > 1, 'Tasks of a holder run in order.');
    latest.set(holder, index);
    if (hasWaited) {
      if (mostEach === slots) checkTurns(holder, from);
      last.set(holder, entered.length);
      entered.push(holder);
    } else if (mostEach === slots)
      world.must(waiting <= world.turnsToCome, 'No task passes one that waits for a slot.');
    await world.moment(`task ${index} leaves`);
    inside.splice(inside.indexOf(holder), 1);
    leave();
    if (world.upTo(3) === 0) leave();
    if (world.upTo(3) === 0) world.soon('leave again', leave);
    ended += 1;
    // The next task comes when the one that got this slot waits for its turn.
    await Promise.resolve();
    goOn();
  }

  /** Between two entries of a holder that waits, each other enters once. Those that have their turn enter before. */
  function checkTurns(holder: number, from: { readonly entries: number; readonly turns: number }): void {
    const since = Math.max((last.get(holder) ?? -1) + 1, from.entries + from.turns);
    const others = entered.slice(since).filter((one) => one !== holder);
    world.must(new Set(others).size === others.length, 'Holders take turns.');
  }

  world.arrivals(count, (index, goOn) => void task(index, world.upTo(holders), goOn));
  return async () => {
    world.must(ended === count, 'No task is forgotten.');
    world.must(inside.length === 0, 'All have left.');
    for (let slot = 0; slot < slots; slot += 1)
      void room.enter(`new ${slot}`, 1, () => new Error('late')).then(() => inside.push(slot));
    await new Promise((resolve) => setImmediate(resolve));
    world.must(inside.length === slots, 'No slot is lost.');
  };
}
