import { API_PATH, pathOf } from '../../lib/operations/Operation';
import { operations } from '../../routes';
import { type Engine, engines } from '../fixture/databases';
import { changeOf, operationOf, pageOf, requestOf } from './anomalyAttempts';
import { anomalyLoop, Tally } from './anomalyLoop';
import { type AnomalyPanel, startAnomalyPanel } from './anomalyPanel';
import { figure } from './figure';
import type { Outside } from './OutsideCalls';
import { isWhole } from './scale';

const NAMES = isWhole ? operations.map(({ name }) => name) : (['domains', 'jobs'] as const);
const KINDS: readonly Outside[] = ['statement', 'connection', 'function', 'logger', 'clock', 'random'];
/** Whether the calls after the first that goes wrong do so too. */
const DURATIONS = isWhole ? [false, true] : [false];

const tested = operations.filter(({ name }) => NAMES.some((wanted) => wanted === name));

describe.each<Engine>(isWhole ? engines : ['sqlite'])('If any call goes wrong (%s),', (engine) => {
  let panel: AnomalyPanel;

  beforeAll(async () => {
    panel = await startAnomalyPanel(engine, 'database');
  });

  test.each(tested)('a request for $name has one correct answer and one log line', async (operation) => {
    const tally = new Tally();
    const path = API_PATH + pathOf(operation);
    const problems = await anomalyLoop(await requestOf(panel, path), KINDS, DURATIONS, tally);
    figure(`${engine}, ${operation.name}`, String(tally));
    expect(problems).toEqual([]);
    expect(tally.cases).toBeGreaterThan(20);
  });

  if (!isWhole) return;

  test.each([
    ['the operation domains', () => operationOf(panel, operations[2])],
    ['the operation health', () => operationOf(panel, operations.find(({ name }) => name === 'health')!)],
    ['the page of the tokens', () => pageOf(panel, 'tokens')],
    ['the creation of a token', () => changeOf(panel, 'create')],
    ['the revocation of a token', () => changeOf(panel, 'revoke')],
  ])('%s is done or fails as a whole', async (name, attempt) => {
    const tally = new Tally();
    const problems = await anomalyLoop(attempt(), KINDS, DURATIONS, tally);
    figure(`${engine}, ${name}`, String(tally));
    expect(problems).toEqual([]);
    expect(tally.cases).toBeGreaterThan(20);
  });
});

test('If a call to Redis goes wrong, a request has one correct answer and one log line', async () => {
  const panel = await startAnomalyPanel('sqlite', 'redis');
  const tally = new Tally();
  for (const operation of tested) {
    const attempt = await requestOf(panel, API_PATH + pathOf(operation));
    expect(await anomalyLoop(attempt, ['redis'], DURATIONS, tally)).toEqual([]);
  }
  figure('Redis, requests', String(tally));
  expect(tally.cases).toBeGreaterThanOrEqual(tested.length * DURATIONS.length * 7);
});
