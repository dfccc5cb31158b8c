import { join } from 'node:path';
import { worst } from '../../bench/neighbours/worst';
import { runCommand } from '../runCommand';
import { figure } from './figure';
import { isWhole } from './scale';

const NEIGHBOURS = join(__dirname, '../../bench/neighbours');

/** The faults are planted in the fast scale, whose times mean nothing. */
const ARGUMENTS = isWhole ? ['--seconds', '10'] : ['--rows', '1000', '--seconds', '1'];
const KINDS = isWhole ? Object.keys(worst) : ['health'];
/** Other work of the machine makes a run miss an aim. If the first run does, most of three must not. */
const MOST_RUNS = 3;

/** What happened to a request of the other token: `left` if its client broke it off at the end. */
const SERVED: readonly string[] = ['200', '200, left'];
const WAITING = 'unanswered, left';
const REFUSED = '503';
/** Long lists take the token's share of the connections, and its other requests are refused meanwhile. */
const SHARED: readonly string[] = ['cron', 'lists', 'slow-readers'];

interface Load {
  readonly beside: string;
  /** What the requests of the other token got, and how many. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly probes: readonly Probe[];
}

interface Probe {
  readonly name: string;
  readonly p99: number;
  readonly refused: number;
  /** Absent if there is no aim. */
  readonly reached?: boolean;
}

const isMissed = ({ probes }: Load) => isWhole && probes.some(({ reached }) => reached === false);

async function measure(kinds: readonly string[]): Promise<readonly Load[]> {
  const report = await runCommand(process.execPath, [
    NEIGHBOURS,
    '--json',
    ...ARGUMENTS,
    '--kinds',
    kinds.join(),
  ]);
  return JSON.parse(report);
}

/** Why a load was not a token's worst: requests that are refused, or never arrive, are no load. */
function faultsOf({ beside, outcomes }: Load): readonly string[] {
  if (beside === 'nothing') return [];
  const allowed = [...SERVED, WAITING, ...(SHARED.includes(beside) ? [REFUSED] : [])];
  const others = Object.keys(outcomes).filter((outcome) => !allowed.includes(outcome));
  const served = SERVED.some((outcome) => (outcomes[outcome] ?? 0) > 0);
  return [...others.map((outcome) => `${beside}: ${outcome}`), ...(served ? [] : [`${beside}: none served`])];
}

test('A token and a page of the panel are answered in time beside a token that does its worst', async () => {
  const runs = new Map(KINDS.map((kind): [string, Load[]] => [kind, []]));
  const missedOf = (kind: string) => runs.get(kind)!.filter(isMissed).length;
  for (let run = 1; run <= MOST_RUNS; run += 1) {
    const open = KINDS.filter((kind) => run === 1 || missedOf(kind) > 0);
    for (const load of open.length > 0 ? await measure(open) : []) {
      runs.get(load.beside)!.push(load);
      for (const { name, p99, refused } of load.probes)
        figure(`${name} beside ${load.beside}: p99 in ms, refused`, `${p99.toFixed(1)}, ${refused}`);
      figure(`requests of ${load.beside}`, JSON.stringify(load.outcomes));
    }
  }
  for (const [kind, loads] of runs)
    figure(`${kind}: runs, that missed`, `${loads.length}, ${missedOf(kind)}`);
  const loads = [...runs.values()].flat();
  expect(loads.flatMap(faultsOf)).toEqual([]);
  expect(loads.flatMap(({ probes }) => probes.filter(({ refused }) => refused > 0))).toEqual([]);
  expect([...runs].filter(([kind, { length }]) => length === 0 || missedOf(kind) > length / 2)).toEqual([]);
});
