import type { Slot } from '../../lib/database/Slot';
import { FakeServer } from './FakeServer';
import type { World } from './World';

const DEADLINE_MS = 100;
/** How late two timers may be, one after the other. */
const LATE_MS = 3;

export function slots(world: World): () => void {
  const server = new FakeServer(world);
  server.failures = world.upTo(4);
  const poolSize = world.oneOf([2, 4]);
  const database = server.connect({ deadlineMs: DEADLINE_MS, poolSize });
  let asked = 0;
  let ended = 0;

  /** Notes how the work ends. */
  function watch(work: Promise<unknown>, end: number): void {
    asked += 1;
    const latest = Math.max(end, world.now() + 1) + LATE_MS;
    const check = () => {
      ended += 1;
      world.must(world.now() <= latest, 'Every statement ends by its deadline.');
    };
    work.then(check, check);
  }

  function inSlot(index: number): void {
    const end = world.now() + DEADLINE_MS;
    let isOver = false;
    const statements = 1 + world.upTo(3);
    /** The statements of this slot that were asked for, in order. */
    const order: string[] = [];
    const ask = (slot: Slot, name: string) => {
      if (!isOver) order.push(name);
      const late = isOver;
      const work = slot.query(name, (knex) => knex.raw(name) as never);
      watch(work, end);
      if (late)
        work.then(
          () => world.must(false, 'A statement that is asked for after the end of the task fails.'),
          () =>
            world.must(
              !server.sent.includes(name),
              'A statement that is asked for after the end of the task is not sent.',
            ),
        );
      return work;
    };
    const task = async (slot: Slot) => {
      for (let step = 0; step < statements; step += 1) {
        const work = ask(slot, `s${index}.${step}`);
        if (world.upTo(2) === 0) await work.catch(() => undefined);
      }
      world.soon('late statement', () => void ask(slot, `s${index}.late`).catch(() => undefined));
      if (world.upTo(2) === 0) await world.moment('end of the task');
      isOver = true;
      const firsts = [...new Set(server.sent.filter((name) => order.includes(name)))];
      world.must(
        firsts.every((name, place) => name === order[place]),
        'Statements of a slot are sent in order.',
      );
    };
    database.withSlot(`slot ${index}`, task).then(
      () => undefined,
      ({ code }) =>
        world.must(code === 'POOL_SHARE_TAKEN', 'A task fails as it does itself, or for want of a slot.'),
    );
  }

  for (let index = 0; index < 2; index += 1) world.soon(`slot ${index}`, () => inSlot(index));
  for (const sender of [database, database.reading(1), database.reading(2)]) {
    if (world.upTo(2) === 0) continue;
    world.soon('alone', () =>
      watch(
        sender.query('alone', (knex) => knex.raw('alone') as never),
        world.now() + DEADLINE_MS,
      ),
    );
  }
  return async () => {
    world.must(ended === asked, 'Every statement ends.');
    world.must(server.most <= poolSize / 2, 'No more statements at once than the share of the pool.');
    world.must(server.running === 0, 'No statement runs on.');
    const before = server.sent.length;
    for (let slot = 0; slot < poolSize / 2; slot += 1)
      database.query('end', (knex) => knex.raw('end') as never).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    world.must(server.sent.length === before + poolSize / 2, 'No slot is lost.');
  };
}
