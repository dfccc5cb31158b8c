import { join } from 'node:path';
import { runCommand } from '../runCommand';
import { figure } from './figure';
import { isWhole } from './scale';

const NEIGHBOURS = join(__dirname, '../../bench/neighbours');

/** The faults are planted in the fast scale, whose times mean nothing. */
const ARGUMENTS = isWhole ? ['--seconds', '10'] : ['--rows', '1000', '--seconds', '1', '--kinds', 'health'];

test('A token and a page of the panel are answered in time beside a token that does its worst', async () => {
  const report = await runCommand(process.execPath, [NEIGHBOURS, ...ARGUMENTS]);
  let beside = '';
  const lines: { what: string; p99: number; refused: number; missed: boolean }[] = [];
  for (const line of report.split('\n')) {
    beside = /^beside (.*?) \(/.exec(line)?.[1] ?? beside;
    const cells = /^ {2}(\S.*?) {2,}([\d.]+) +([\d.]+) +([\d.]+) +(\d+) +(\d+) *(\w*)/.exec(line);
    if (cells === null) continue;
    const [, name = '', , p99, , , refused, verdict] = cells;
    lines.push({
      what: `${name} beside ${beside}`,
      p99: Number(p99),
      refused: Number(refused),
      missed: verdict === 'missed',
    });
  }
  expect(lines.length).toBeGreaterThanOrEqual(4);
  for (const { what, p99, refused } of lines) figure(`${what}: p99 in ms, refused`, `${p99}, ${refused}`);
  expect(lines.filter(({ refused }) => refused > 0)).toEqual([]);
  if (isWhole) expect(lines.filter(({ missed }) => missed)).toEqual([]);
});
