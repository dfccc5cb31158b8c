import type { Sender } from '../../lib/database/Sender';
import { FakeServer } from './FakeServer';
import type { World } from './World';

const DEADLINE_MS = 100;
/** How late two timers may be, one after the other. */
const LATE_MS = 3;

/** Statements in two slots, and beside them. */
export function slots(world: World): () => Promise<void> {
  const server = new FakeServer(world);
  server.failures = world.upTo(4);
  const share = world.oneOf([1, 2]);
  const database = server.connect(DEADLINE_MS, 2 * share);
  const readings = [database.inSlotsOf(1), database.inSlotsOf(2)];
  let asked = 0;
  let ended = 0;

  /** Sends a statement that must end until then. `noteSent` is called when it is sent first. */
  async function ask(sender: Sender, end: number, noteSent = () => {}): Promise<void> {
    asked += 1;
    let times = 0;
    const latest = Math.max(end, world.now() + 1) + LATE_MS;
    const work = sender.query(`statement ${asked}`, (knex) => {
      world.must(world.now() < end, 'No statement is sent after its deadline.');
      times += 1;
      if (times === 1) noteSent();
      return knex.raw('statement') as never;
    });
    await work.catch(() => undefined);
    ended += 1;
    world.must(world.now() <= latest, 'Every statement ends by its deadline.');
  }

  function inSlot(): void {
    const end = world.now() + DEADLINE_MS;
    const statements = 1 + world.upTo(3);
    let last = 0;
    const work = database.withSlot('slot', async (slot) => {
      for (let place = 0; place < statements; place += 1) {
        const one = ask(slot, end, () => {
          world.must(place >= last, 'Statements of a slot are sent in order.');
          last = place;
        });
        if (world.upTo(2) === 0) await one;
      }
      if (world.upTo(2) === 0) await world.moment('end of the task');
      const late = () =>
        world.must(false, 'A statement that is asked for after the end of the task is not sent.');
      world.soon('late statement', () => ask(slot, end, late));
    });
    work.catch(({ code }) =>
      world.must(code === 'POOL_SHARE_TAKEN', 'A slot is refused only if none is free.'),
    );
  }

  for (const name of ['slot', 'other slot']) world.soon(name, inSlot);
  for (const sender of [database, ...readings])
    if (world.upTo(2) === 0) world.soon('alone', () => ask(sender, world.now() + DEADLINE_MS));
  return async () => {
    world.must(ended === asked, 'Every statement ends.');
    world.must(server.running === 0, 'No statement runs on.');
    for (const senders of [[database, database], readings]) {
      for (const sender of senders.slice(0, share))
        sender
          .query('end', (knex) => knex.raw('end') as never)
          .catch(({ code }) => world.must(code !== 'POOL_SHARE_TAKEN', 'No slot is lost.'));
      await world.goOn();
    }
    world.must(server.most <= share, 'No more statements at once than the share of the pool.');
  };
}
