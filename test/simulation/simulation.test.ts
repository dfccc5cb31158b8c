import { figure } from '../prove/figure';
import { seed as firstSeed } from '../prove/input/seed';
import { scaled } from '../prove/scale';
import { batcher } from './batcher';
import { bulkhead } from './bulkhead';
import { corpus } from './corpus.json';
import { limiter } from './limiter';
import { retries } from './retries';
import { shared } from './sharedRuns';
import { slots } from './slots';
import { usage } from './usage';
import { World } from './World';

/** Sets up what may happen in a world, and returns what must hold in the end. */
type Scenario = (world: World) => () => void | Promise<void>;

const ORDERS = scaled({ fast: 100_000, full: 1_000_000 });

const SCENARIOS: readonly (readonly [name: string, scenario: Scenario, share: number])[] = [
  ['requests that are answered in batches', batcher, 0.25],
  ['requests that share runs', shared, 0.15],
  ['tasks that wait for a slot', bulkhead, 0.2],
  ['statements of a slot', slots, 0.1],
  ['tasks that are tried again', retries, 0.1],
  ['requests that are counted', limiter, 0.18],
  ['counts of use', usage, 0.02],
];

let current: World | null = null;
const noteUnhandled = (reason: unknown) => current?.must(false, `No rejection is unhandled: ${reason}`);

beforeAll(() => void process.on('unhandledRejection', noteUnhandled));
afterAll(() => void process.off('unhandledRejection', noteUnhandled));

/** Lets all happen in the order of this seed. Returns the promise that was broken. */
async function breachIn(scenario: Scenario, seed: number): Promise<string | null> {
  const world = new World(seed);
  current = world;
  const check = scenario(world);
  await world.goOn();
  if (!world.breach) await check();
  await new Promise((resolve) => setImmediate(resolve));
  return world.breach;
}

test.each(SCENARIOS)('In every order, %s get what is promised', async (name, scenario, share) => {
  const orders = Math.round(ORDERS * share);
  const generated = Array.from({ length: orders }, (_, index) => firstSeed + index);
  let done = 0;
  for (const seed of [...corpus, ...generated]) {
    done += 1;
    const breach = await breachIn(scenario, seed);
    if (breach)
      throw new Error(`${breach}
Order ${done}. PROVE_SEED=${seed} npx jest --config test/unit.config.js test/simulation -t '${name}' repeats it.`);
  }
  figure(`orders of ${name}`, done);
});
