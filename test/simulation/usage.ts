import { UsageBuffer } from '../../lib/usage/UsageBuffer';
import { FakeServer } from './FakeServer';
import type { World } from './World';

type Parts = ConstructorParameters<typeof UsageBuffer>[0];

export function usage(world: World): () => void {
  const server = new FakeServer(world);
  server.failures = world.upTo(5);
  const database = server.connect(5000, 4);
  const tables = { usage: 'days', usageTokens: 'tokens' };
  const log = { warn: () => undefined, info: () => undefined };
  const buffer = new UsageBuffer({ database, tables, log, keepDays: 10 } as unknown as Parts);
  const count = 2 + world.upTo(5);
  for (let index = 0; index < count; index += 1) {
    const [tokenId, day] = [1 + world.upTo(2), 20_000 + world.upTo(2)];
    world.soon('use', () =>
      buffer.add({ tokenId, day, endpoint: 'domains', statusClass: 2, requests: 1, lastAt: day * 86_400 }),
    );
  }
  if (world.upTo(2) === 0) world.soon('write', () => void buffer.writeAll().catch(() => undefined));
  return () => {
    world.must(buffer.counts.length === 0, 'All counts are written in the end.');
    const { days, tokens } = Object.fromEntries(server.used);
    // Each request counts for its token and for all.
    world.must(days === 2 * count && tokens === count, 'A count is neither lost nor doubled.');
  };
}
