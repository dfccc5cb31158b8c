import { withTimeout } from '../../lib/async/withTimeout';
import { DatabaseFailure } from '../../lib/database/DatabaseFailure';
import { retryConflicts } from '../../lib/database/retryConflicts';
import type { World } from './World';

export function retries(world: World): () => void {
  const count = 1 + world.upTo(3);
  let ended = 0;
  for (let index = 0; index < count; index += 1)
    world.soon(`task ${index}`, () => {
      const end = world.now() + world.oneOf([1, 30, 200]);
      let isRunning = false;
      let last: DatabaseFailure | undefined;
      const task = async (conflict?: DatabaseFailure) => {
        world.must(!isRunning, 'One run of a task at a time.');
        world.must(conflict === last, 'A run receives the conflict of the last one.');
        world.must(!conflict || world.now() < end, 'No run begins after the end.');
        isRunning = true;
        await world.moment(`run of ${index}`);
        isRunning = false;
        if (world.upTo(4) === 0) return;
        last = new DatabaseFailure('task', world.oneOf(['OTHER', 'CONFLICT', 'CONFLICT']));
        throw last;
      };
      const outcome = retryConflicts(({ code }) => code === 'CONFLICT', end, task, world);
      outcome.catch((error) => world.must(error === last, 'A task fails as its last run did.'));
      const settle = () => {
        ended += 1;
        world.must(world.now() <= end + 2, 'A task ends by its end.');
      };
      withTimeout(outcome, Math.max(1, end - world.now()), undefined, world).then(settle, settle);
    });
  return () => world.must(ended === count, 'Every task ends.');
}
