import { join } from 'node:path';
import { runCommand } from '../runCommand';
import { figure } from './figure';
import { isWhole } from './scale';

const NEIGHBOURS = join(__dirname, '../../bench/neighbours');

/** The faults are planted in the fast scale, whose times mean nothing. */
const ARGUMENTS = isWhole ? ['--seconds', '10'] : ['--rows', '1000', '--seconds', '1', '--kinds', 'health'];

interface Load {
  readonly beside: string;
  readonly probes: readonly Probe[];
}

interface Probe {
  readonly name: string;
  readonly p99: number;
  readonly refused: number;
  /** Absent if there is no aim. */
  readonly reached?: boolean;
}

test('A token and a page of the panel are answered in time beside a token that does its worst', async () => {
  const report = await runCommand(process.execPath, [NEIGHBOURS, '--json', ...ARGUMENTS]);
  const loads = JSON.parse(report) as readonly Load[];
  const seen = loads.flatMap(({ beside, probes }) =>
    probes.map((probe) => ({ ...probe, name: `${probe.name} beside ${beside}` })),
  );
  expect(seen.length).toBeGreaterThanOrEqual(4);
  for (const { name, p99, refused } of seen)
    figure(`${name}: p99 in ms, refused`, `${p99.toFixed(1)}, ${refused}`);
  expect(seen.filter(({ refused }) => refused > 0)).toEqual([]);
  if (isWhole) expect(seen.filter(({ reached }) => reached === false)).toEqual([]);
});
