import { API_PATH, pathOf } from '../../../lib/fields/Operation';
import { operations } from '../../../routes';
import { type Engine, engines } from '../../fixture/databases';
import type { Outside } from '../../fixture/faults/OutsideCalls';
import { redisClients } from '../../fixture/redisClients';
import { figure } from '../figure';
import { isWhole } from '../scale';
import { operationOf, requestOf } from './anomalyAttempts';
import { changeOf, commandOf } from './anomalyChanges';
import { type Attempt, anomalyLoop, Tally } from './anomalyLoop';
import { formOf, pageOf } from './anomalyPages';
import { type AnomalyPanel, startAnomalyPanel } from './anomalyPanel';

/** Attempts at once, each of a panel of its own: most of them wait for a deadline. */
const LANES = 4;
/** Endpoints that make a hundred calls. In these, each goes wrong by itself only, and on PostgreSQL none does. */
const LONG = ['health', 'release-audit'];

/** Endpoints that call functions of the panel. */
const OWN_FUNCTIONS = ['jobs', 'health', 'release-audit'];
/** What every request asks of. */
const OF_REQUESTS: readonly Outside[] = ['statement', 'connection', 'switch', 'logger', 'clock', 'random'];
const CHANGES = ['create', 'rotate', 'revoke', 'update', 'settings'] as const;
/** The changes that create a token. */
const CREATING: readonly string[] = ['create', 'rotate'];

interface Case {
  readonly kind: string;
  readonly name: string;
  /** What it asks of: in each of these, a call must have failed. */
  readonly asks: readonly Outside[];
  readonly of: (panel: AnomalyPanel) => Attempt | Promise<Attempt>;
}

const functionsOf = (name: string): readonly Outside[] => (OWN_FUNCTIONS.includes(name) ? ['function'] : []);

const requests = operations.map(
  (operation): Case => ({
    kind: 'requests',
    name: operation.name,
    asks: [...OF_REQUESTS, 'redis', ...functionsOf(operation.name)],
    of: (panel) => requestOf(panel, API_PATH + pathOf(operation)),
  }),
);

const OF_PAGES: readonly Outside[] = ['statement', 'connection', 'authorize', 'clock'];

const randomOf = (change: string): readonly Outside[] => (CREATING.includes(change) ? ['random'] : []);

const others: readonly Case[] = [
  ...operations
    .filter(({ name }) => ['domains', 'jobs', 'me'].includes(name))
    .map((operation) => ({
      kind: 'operations without HTTP',
      name: operation.name,
      // Only a request over HTTP gets a random id.
      asks: [...OF_REQUESTS.filter((one) => one !== 'random'), ...functionsOf(operation.name)],
      of: (panel: AnomalyPanel) => operationOf(panel, operation),
    })),
  ...['tokens', 'audit', 'settings'].map((page) => ({
    kind: 'pages of the section',
    name: page,
    asks: OF_PAGES,
    of: (panel: AnomalyPanel) => pageOf(panel, page),
  })),
  ...CHANGES.map((change) => ({
    kind: 'forms of the section',
    name: change,
    asks: [...OF_PAGES, ...randomOf(change)],
    of: (panel: AnomalyPanel) => formOf(panel, change),
  })),
  ...CHANGES.map((change) => ({
    kind: 'changes by the panel',
    name: change,
    asks: ['statement' as const, 'connection' as const, ...randomOf(change)],
    of: (panel: AnomalyPanel) => changeOf(panel, change),
  })),
];

const commands = (['create', 'rotate', 'revoke'] as const).map(
  (change): Case => ({
    kind: 'commands',
    name: change,
    asks: ['statement', 'connection'],
    of: (panel) => commandOf(panel, change),
  }),
);

// The longest are the last endpoints, so they begin.
const cases = isWhole
  ? [...requests.toReversed(), ...others]
  : requests.filter(({ name }) => ['domains', 'jobs'].includes(name));

interface Chosen {
  /** What the figures are about. */
  readonly title: string;
  readonly cases: readonly Case[];
  readonly calls: readonly Outside[];
  readonly lanes?: number;
  readonly start: () => Promise<AnomalyPanel>;
}

/**
 * Runs the loop over all cases, and expects that nothing was wrong, and that in each case calls of every kind have
 * failed of which it asks.
 */
async function expectCorrect({ title, cases, calls, lanes = LANES, start }: Chosen): Promise<void> {
  const waiting = [...cases];
  const tallies = new Map(cases.map(({ kind }) => [kind, new Tally()]));
  const problems: string[] = [];
  const lane = async () => {
    const panel = await start();
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { kind, name, asks, of } = next;
      // Whether all calls after the first that goes wrong do so too.
      const durations = isWhole && !LONG.includes(name) && kind !== 'commands' ? [false, true] : [false];
      const attempt = await of(panel);
      for (const outside of calls.filter((one) => asks.includes(one))) {
        const tally = new Tally();
        const found = await anomalyLoop(attempt, outside, durations, tally);
        if (tally.cases === 0) found.push(`no ${outside} has failed`);
        tallies.get(kind)!.include(tally);
        problems.push(...found.map((problem) => `${kind}, ${name}, ${problem}`));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, cases.length) }, lane));
  for (const [kind, tally] of tallies) if (tally.cases > 0) figure(`${title}: ${kind}`, String(tally));
  expect(problems).toEqual([]);
}

const STORES: readonly Outside[] = ['statement', 'connection'];

describe('There is one correct answer and one log line, or a change is done as a whole or not at all,', () => {
  test.each<Engine>(isWhole ? engines : ['sqlite'])('if any call to the database fails (%s)', (engine) =>
    expectCorrect({
      title: engine,
      cases: engine === 'postgresql' ? cases.filter(({ name }) => !LONG.includes(name)) : cases,
      calls: STORES,
      start: () => startAnomalyPanel(engine),
    }),
  );

  // A process per attempt, so each call goes wrong by itself only.
  if (isWhole)
    test('if any call of the command to its database fails', () =>
      expectCorrect({
        title: 'mariadb',
        cases: commands,
        calls: STORES,
        start: () => startAnomalyPanel('mariadb'),
      }));

  test("if any call of the panel's functions or of its logger fails", () =>
    expectCorrect({
      title: 'functions and logger of the panel',
      cases,
      calls: ['switch', 'authorize', 'function', 'logger'],
      start: () => startAnomalyPanel('sqlite'),
    }));

  test('if the clock jumps or the system has no randomness', () =>
    expectCorrect({
      title: 'clock and randomness',
      cases,
      calls: ['clock', 'random'],
      // All panels of a process share them.
      lanes: 1,
      start: () => startAnomalyPanel('sqlite', { ofProcess: true }),
    }));

  test.each(Object.keys(redisClients))('if any call to Redis fails (%s)', (redis) =>
    expectCorrect({
      title: `Redis, ${redis}`,
      cases: cases.filter(({ kind }) => kind === 'requests'),
      calls: ['redis'],
      start: () => startAnomalyPanel('sqlite', { redis }),
    }),
  );
});
