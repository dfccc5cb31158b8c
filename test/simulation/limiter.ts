import { DatabaseFailure } from '../../lib/database/DatabaseFailure';
import { DatabaseLimiter } from '../../lib/limiter/DatabaseLimiter';
import { FakeServer } from './FakeServer';
import type { World } from './World';

type Tables = ConstructorParameters<typeof DatabaseLimiter>[0]['tables'];

export function limiter(world: World): () => void {
  const server = new FakeServer(world);
  const isHard = world.upTo(2) === 0;
  const count = 2 + world.upTo(5);
  const tokens = 1 + world.upTo(2);
  // Of two lengths while the length is being changed.
  const windows = world.oneOf([[2], [6], [2, 3], [4, 12]]);
  server.clock += world.upTo(12);
  if (isHard) server.failures = world.upTo(4);
  if (world.upTo(3) === 0) {
    server.locked = 1;
    world.soon('unlocked', () => {
      server.locked = null;
    });
  }
  for (let ticks = world.upTo(3); ticks > 0; ticks -= 1)
    world.soon('tick', () => {
      server.clock += 1 + world.upTo(3);
    });
  const processes = [0, world.oneOf([0, 0, -30])].map((ahead) => {
    const database = server.connect(500, world.oneOf([2, 4]), ahead);
    return new DatabaseLimiter({ database, tables: { rateLimits: 'limits' } as Tables });
  });
  const answered: string[] = [];
  let refused = 0;
  world.arrivals(count, (_index, goOn) => {
    const id = 1 + world.upTo(tokens);
    world.note(`count for ${id}`);
    // The row was read a little before.
    const readAt = server.clock - world.oneOf([0, 0, 1, 3]);
    const counted = world.oneOf(processes).count({ id, readAt, address: null }, world.oneOf(windows));
    const answer = ({ hits }: { hits: number }) => {
      world.note(`answered ${id}: ${hits}`);
      answered.push(`${id} ${hits}`);
      goOn();
    };
    const refuse = (error: unknown) => {
      world.must(error instanceof DatabaseFailure, 'A request fails only if the store does.');
      refused += 1;
      goOn();
    };
    counted.then(answer, refuse);
  });
  return () => {
    world.must(answered.length + refused === count, 'Every request ends.');
    const left = [...server.given];
    for (const hit of answered) {
      const place = left.indexOf(hit);
      world.must(place >= 0, 'Each request gets a number of its own.');
      left.splice(place, 1);
    }
    world.must(left.length <= refused, 'No request is counted twice.');
    if (refused === 0) world.must(left.length === 0, 'No count is without its request.');
  };
}
