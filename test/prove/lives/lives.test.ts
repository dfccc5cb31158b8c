import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { awayFromHourEnd, HOUR } from '../../fixture/awayFromHourEnd';
import { engines, freshDatabase } from '../../fixture/databases';
import { createPanelTables } from '../../fixture/panelTables';
import { startHost } from '../../fixture/processes/hostProcess';
import { figure } from '../figure';
import { printSeed, seed } from '../input/seed';
import { isWhole, scaled } from '../scale';
import { answerOf } from './answers';
import { Model, type Turn } from './model';
import { ABSENT, moment, type Step, settingsAtFirst } from './steps';
import { byToken, World } from './World';
import { ACTORS, type Outcome } from './ways';

const LIVES = scaled({ fast: 50, full: Math.ceil(2000 / engines.length) });
const PROCESSES = scaled({ fast: 2, full: 3, long: 3 });

/** To find the shortest life that fails takes minutes on a busy machine. A whole proof has them anyway. */
const PATIENCE_MS = isWhole ? undefined : 600_000;

/** The tokens with which each life begins. */
const FIRST = [
  { accounts: [0], owner: true, days: null },
  { accounts: [1, 3], days: 4, allowedAddresses: ['127.0.0.1', '198.51.100.0/24'] },
  { accounts: [1], days: 1, scopes: ['profile.read', 'accounts.read'] },
].map((properties) => [{ do: 'create', way: 'panel', properties } as Partial<Step> as Step]);

/** What is not seen of a token. */
const UNSEEN = { plain: undefined, countedAt: undefined };

/**
 * Takes steps at once, each in another process. What is seen then must be what the model says of one of their orders.
 * Returns the model after them.
 */
async function live(given: readonly Step[], model: Model, world: World, moment: number): Promise<Model> {
  const steps = given.map((step) => {
    const tokens = model.tokens.filter(({ plain }) => step.do !== 'ask' || plain !== null);
    return { ...ABSENT, ...step, token: tokens.at(step.token % tokens.length)?.id ?? 0 };
  });
  const taken = await Promise.all(
    steps.map(async (step, index) => [step, ...(await world.take(step, model, moment + index))] as const),
  );
  const hours = steps[0]?.do === 'wait' ? steps[0].hours : 0;
  const stored = await world.look(model.now + hours);
  const seen = plain({ ...stored, results: taken.map(([, result]) => result) });
  const possible = ordersOf(steps).flatMap((order) => expected(model.copy(), taken, order, seen));
  const right = possible.find((one) => isDeepStrictEqual(one.expected, seen));
  if (!right) expect(seen).toEqual(possible[0]?.expected);
  return right?.next ?? model;
}

/** A step, and what it has led to. */
type Taken = readonly [step: Step, ...outcome: Outcome];

type Order = readonly (readonly [index: number, turn: Turn])[];

/** The orders in which steps may seem to be taken, and how. */
function ordersOf(steps: readonly Step[]): readonly Order[] {
  const [first = [], second] = steps.map(({ do: action, way, properties }, index) => {
    const isEdit = action === 'edit' || action === 'extend';
    const turns: Turn[] = isEdit && properties.days !== undefined ? [null, 'seconds'] : [null];
    const namesVersion = isEdit || action === 'rotate';
    if (steps.length > 1 && namesVersion && way === 'api-section') turns.push('stale');
    return turns.map((turn) => [index, turn] as const);
  });
  if (!second) return first.map((one) => [one]);
  return first.flatMap((one) =>
    second.flatMap((other) => [
      [one, other],
      [other, one],
    ]),
  );
}

type Seen = Awaited<ReturnType<World['look']>> & { readonly results: readonly unknown[] };

/** Takes the steps in the model, and returns what must be seen then; nothing if they cannot have this order. */
function expected(next: Model, taken: readonly Taken[], order: Order, seen: Seen) {
  const before = next.tokens;
  const results = [...seen.results];
  for (const [index, turn] of order) {
    const [step, , created] = taken[index] as Taken;
    const token = before.find(({ id }) => id === step.token);
    if (turn === 'stale' && token === next.token(step.token)) return [];
    const result = step.do === 'ask' ? answerOf(next, step) : next.take(step, created, turn);
    // If the model leaves a result open, it is the one that was seen.
    results[index] = result ?? results[index];
  }
  const tokens = next.tokens.map((one) => ({ ...one, ...UNSEEN, state: next.state(one) }));
  const settings = { ...seen.settings, ...next.settings };
  return [{ next, expected: plain({ tokens, entries: next.entries.toSorted(byToken), settings, results }) }];
}

/** Without what is undefined. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

describe.each(isWhole ? engines : (['mariadb'] as const))('A life of tokens (%s)', (engine) => {
  test(
    'is as the model says, in every process',
    async () => {
      printSeed();
      const database = await freshDatabase(engine);
      await createPanelTables(database.knex, ['accounts', 'domains']);
      const options = { rateLimit: { windowSeconds: HOUR } };
      const start = () => startHost(database, { options, isWhole: true });
      const world = new World(database, await Promise.all(Array.from({ length: PROCESSES }, start)));
      const life = fc.array(moment, { maxLength: 30, size: 'max' });
      let moments = 0;
      const property = fc.asyncProperty(settingsAtFirst, life, async (settings, given) => {
        await awayFromHourEnd();
        let model = new Model().copy({ settings, accounts: await world.begin(settings), actors: ACTORS });
        for (const [index, steps] of [...FIRST, ...given].entries())
          model = await live(steps, model, world, index);
        await world.end(model);
        moments += FIRST.length + given.length;
      });
      await fc.assert(property, { numRuns: LIVES, seed });
      figure(`${engine}: lives`, LIVES);
      figure(`${engine}: moments`, moments);
    },
    PATIENCE_MS,
  );
});
