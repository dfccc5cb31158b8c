import fc from 'fast-check';
import { awayFromHourEnd, HOUR } from '../../fixture/awayFromHourEnd';
import { engines, freshDatabase } from '../../fixture/databases';
import { createPanelTables } from '../../fixture/panelTables';
import { startHost } from '../../fixture/processes/hostProcess';
import { figure } from '../figure';
import { printSeed, seed } from '../input/seed';
import { isWhole, scaled } from '../scale';
import { Model, type Token, type Turn } from './model';
import { moment, type Step } from './steps';
import { ACTORS, byToken, type Outcome, World } from './World';

const LIVES = scaled({ fast: 50, full: Math.ceil(2000 / engines.length) });
const PROCESSES = scaled({ fast: 2, full: 3, long: 3 });

interface Life {
  model: Model;
}

const FIRST = [{ accounts: [0], owner: true }, { accounts: [1, 3] }].map(
  (properties) =>
    ({ do: 'create', way: 'panel', properties: { ...properties, days: null } }) as Partial<Step> as Step,
);

let taken = 0;

/** A step, or two at once in two processes. What they lead to must be what the model says of one of their orders. */
class Moment implements fc.AsyncCommand<Life, World, true> {
  readonly generated: readonly Step[];

  constructor(generated: readonly Step[]) {
    this.generated = generated;
  }

  async check(): Promise<boolean> {
    return true;
  }

  async run(life: Life, world: World): Promise<void> {
    const { model } = life;
    const shown = model.tokens.filter(({ plain }) => plain !== null);
    const steps = this.generated.map((step) => {
      const chosen = step.do === 'ask' ? shown : model.tokens;
      return 'token' in step ? { ...step, token: chosen[step.token % chosen.length]?.id ?? 0 } : step;
    });
    const number = taken;
    taken += 1;
    const outcomes = await Promise.all(steps.map((step, index) => world.take(step, model, number + index)));
    const seen = await world.observe(model, model.now + (steps[0]?.do === 'wait' ? steps[0].hours : 0));
    const failures: unknown[] = [];
    for (const turns of ordersOf(steps)) {
      const next = model.copy();
      try {
        expect({ ...seen, outcomes: outcomes.map(({ isDone, answer }) => ({ isDone, answer })) }).toEqual(
          expected(next, steps, outcomes, turns, seen),
        );
        life.model = next;
        return;
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures.toSorted((one, other) => String(one).length - String(other).length)[0];
  }

  toString(): string {
    return this.generated.map((step) => JSON.stringify(step)).join(' at once with ');
  }
}

/** The orders in which steps may seem to be taken, and how. */
function ordersOf(steps: readonly Step[]): readonly (readonly (readonly [index: number, turn: Turn])[])[] {
  const [first, second] = steps.map(({ do: action, way, properties }, index) => {
    const isEdit = action === 'edit' || action === 'extend';
    const turns: Turn[] = [null];
    if (isEdit && properties.days !== undefined) turns.push('seconds');
    if (steps.length > 1 && isEdit && way === 'api-section') turns.push('stale');
    if (steps.length > 1 && action === 'rotate') turns.push('undone');
    return turns.map((turn) => [index, turn] as const);
  });
  if (!second) return (first ?? []).map((turn) => [turn]);
  return (first ?? []).flatMap((one) =>
    second.flatMap((other) => [
      [one, other],
      [other, one],
    ]),
  );
}

type Seen = Awaited<ReturnType<World['observe']>>;

/** Takes the steps in the model, and returns what must be seen then. */
function expected(
  model: Model,
  steps: readonly Step[],
  outcomes: readonly Outcome[],
  order: readonly (readonly [number, Turn])[],
  seen: Seen,
) {
  const before = model.tokens;
  const effects = order.map(([index, turn]) => {
    const step = steps[index] as Step;
    const known = [...model.tokens, ...outcomes.map(({ created }) => created)].map(({ id }) => id);
    const unknown = seen.tokens.find(({ id }) => !known.includes(id));
    const { created } = outcomes[index] as Outcome;
    const shown = created.id === 0 ? { ...created, id: unknown?.id ?? 0 } : created;
    const token = before.find(({ id }) => id === step.token);
    const isBeside = turn === 'stale' || turn === 'undone';
    if (isBeside && token === model.token(step.token)) throw new Error('The token has not changed.');
    return { index, ...model.take(step, shown, turn, token as Token) };
  });
  return {
    tokens: model.tokens.map(({ plain, countedAt, ...token }) => ({
      ...token,
      state: model.state(token as Token),
    })),
    entries: effects.flatMap(({ entries = [] }) => entries).toSorted(byToken),
    settings: { ...seen.settings, ...model.settings },
    outcomes: outcomes.map(({ isDone }, at) => {
      const effect = effects.find(({ index }) => index === at);
      return { isDone: effect?.isDone ?? isDone, answer: effect?.answer };
    }),
  };
}

describe.each(isWhole ? engines : (['mariadb'] as const))('A life of tokens (%s)', (engine) => {
  test('is as the model says, in every process', async () => {
    printSeed();
    const database = await freshDatabase(engine);
    await createPanelTables(database.knex, ['accounts', 'domains']);
    const options = { rateLimit: { windowSeconds: HOUR } };
    const hosts = await Promise.all(
      Array.from({ length: PROCESSES }, () => startHost(database, { options, isWhole: true })),
    );
    const world = new World(database, hosts);
    let steps = 0;
    const property = fc.asyncProperty(
      fc.commands([moment.map((generated) => new Moment(generated))], { maxCommands: 40, size: 'max' }),
      async (commands) => {
        await awayFromHourEnd();
        const life: Life = { model: new Model().copy({ accounts: await world.begin(), actors: ACTORS }) };
        const before = taken;
        for (const first of FIRST) await new Moment([first]).run(life, world);
        await fc.asyncModelRun(() => ({ model: life, real: world }), commands);
        await world.end(life.model);
        steps += taken - before;
      },
    );
    await fc.assert(property, { numRuns: LIVES, seed });
    figure(`${engine}: lives`, LIVES);
    figure(`${engine}: steps`, steps);
  });
});
