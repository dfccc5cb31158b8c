import { join } from 'node:path';
import { worst } from '../../bench/neighbours/worst';
import { runCommand } from '../runCommand';
import { figure } from './figure';
import { isWhole, scaled } from './scale';

const NEIGHBOURS = join(__dirname, '../../bench/neighbours');

/** The faults are planted in the fast scale, whose times mean nothing. */
const ROWS = isWhole ? [] : ['--rows', '1000'];
const SECONDS = scaled({ fast: 1, full: 10, long: 10 });
/** How long a token is scraped beside another. */
const SCRAPED_SECONDS = Number(process.env.PROVE_SECONDS ?? scaled({ fast: 1, full: 60, long: 600 }));
const SCRAPES = 'scrapes';
const KINDS = isWhole ? Object.keys(worst).filter((kind) => kind !== SCRAPES) : ['health'];
/** Other work of the machine makes a run miss an aim. If the first run does, most of three must not. */
const MOST_RUNS = 3;

/** What happened to a request of the other token: `left` if its client broke it off at the end. */
const SERVED: readonly string[] = ['200', '200, left'];
const WAITING = 'unanswered, left';
const REFUSED = '503';
/**
 * Long lists, and filters that no index serves, take the token's share of the connections. Its other requests are
 * refused meanwhile, or at their deadline.
 */
const SHARED: readonly string[] = ['filters', 'cron', 'lists', 'slow-readers', SCRAPES];

interface Load {
  readonly beside: string;
  /** What the requests of the other token got, and how many. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly probes: readonly Probe[];
}

interface Probe {
  readonly name: string;
  readonly p99: number;
  readonly asked: number;
  readonly refused: number;
  /** Absent if there is no aim. */
  readonly reached?: boolean;
}

const isMissed = ({ probes }: Load) => isWhole && probes.some(({ reached }) => reached === false);

async function measure(kinds: readonly string[], seconds = SECONDS): Promise<readonly Load[]> {
  const args = [NEIGHBOURS, '--json', ...ROWS, '--seconds', String(seconds), '--kinds', kinds.join()];
  const report = await runCommand(process.execPath, args, { minutes: 10 + seconds / 60 });
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

test('A scrape shows every list beside a token that does its worst', async () => {
  const loads = await measure([SCRAPES], SCRAPED_SECONDS);
  const scrapes = loads.flatMap(({ probes }) => probes.filter(({ name }) => name === 'scrape'));
  for (const { asked, refused } of scrapes)
    figure(`scrapes in ${SCRAPED_SECONDS} s, that lacked a list`, `${asked}, ${refused}`);
  expect(loads.flatMap(faultsOf)).toEqual([]);
  expect(scrapes.map(({ refused }) => refused)).toEqual([0]);
});
