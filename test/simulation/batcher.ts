import { Batcher } from '../../lib/async/Batcher';
import type { World } from './World';

interface Asked {
  readonly name: string;
  /** When it was asked, by the number of events. */
  readonly at: number;
  /** The number of batches that had started. */
  readonly before: number;
}

/** An error that says which requests it may concern. */
class Refused extends Error {
  readonly concerns: (asked: Asked) => boolean;

  constructor(concerns: (asked: Asked) => boolean) {
    super('refused');
    this.concerns = concerns;
  }
}

const PATIENCE_MS = 25;

export function batcher(world: World): () => void {
  const count = 2 + world.upTo(5);
  const settled = new Set<string>();
  const seen = new Set<string>();
  const running = new Set<number>();
  const isHung = world.upTo(4) === 0;
  let hung: readonly Asked[] = [];
  let batches = 0;
  let started = 0;
  let arrived = 0;

  async function enter(batch: (slot: number) => Promise<void>): Promise<void> {
    const at = world.events.length;
    const way = world.upTo(6);
    if (way > 1) await world.moment('slot');
    if (way === 5) throw new Refused((asked) => asked.at < at && !seen.has(asked.name));
    batches += 1;
    await batch(batches);
  }

  function run(asked: readonly Asked[], batch: number): Promise<readonly (string | Promise<string>)[]> {
    world.note(`batch ${batch} of ${asked.map(({ name }) => name)}`);
    world.must(asked.length > 0, 'A batch has a request.');
    const isAlone = [...running].every((since) => world.now() - since >= PATIENCE_MS);
    world.must(isAlone, 'One batch runs at a time, except beside a slow one.');
    for (const { name, before } of asked) {
      world.must(!seen.has(name), 'A request is in one batch.');
      world.must(before === started, 'A batch takes all requests that wait.');
      seen.add(name);
    }
    started += 1;
    const isOf = (other: Asked) => asked.includes(other);
    const way = world.upTo(12);
    if (way === 0) throw new Refused(isOf);
    if (way === 1) return Promise.resolve(asked.slice(1).map(({ name }) => name));
    // Of two that begin at once, the first would be a breach.
    const since = world.now();
    running.add(since);
    return answer(asked, way, isOf).finally(() => running.delete(since));
  }

  async function answer(asked: readonly Asked[], way: number, isOf: (other: Asked) => boolean) {
    if (isHung && hung.length === 0) {
      hung = asked;
      await world.atLast('answer of the hung batch');
      world.must(
        settled.size === arrived - asked.length,
        'A batch that takes long does not block the next one.',
      );
    } else await world.moment('answer');
    if (way === 2) throw new Refused(isOf);
    return asked.map((one) =>
      way === 3 && world.upTo(2) === 0 ? Promise.reject(new Refused((other) => other === one)) : one.name,
    );
  }

  const asking = new Batcher<Asked, string, number>({ enter, run }, world);
  world.arrivals(count, (index, goOn) => {
    const asked = { name: `r${index}`, at: world.events.length, before: started };
    world.note(`ask ${asked.name}`);
    arrived += 1;
    const end = (promise: string, holds: boolean) => {
      world.must(holds, promise);
      world.must(!settled.has(asked.name), 'A request ends once.');
      settled.add(asked.name);
      goOn();
    };
    asking.ask(asked).then(
      (given) => end('A request gets its own answer, of a batch that began after it.', given === asked.name),
      (error) => {
        const isOwn = error instanceof Refused ? error.concerns(asked) : seen.has(asked.name);
        end('A request fails only with its batch, or with its slot.', isOwn);
      },
    );
  });
  return () => world.must(settled.size === count, 'No request is forgotten.');
}
