import { join } from 'node:path';
import { runCommand } from '../runCommand';
import { builtCommand } from '../servers/builtCommand';
import { findProgram } from '../servers/findProgram';

const ROOT = join(__dirname, '..', '..');
const SHORTEST = ['--quick', '--loads=me', '--connections=1', '--seconds=0.1', '--rounds=1'];

// With MYSQL_URL, the tests need no MariaDB on this machine, but the benchmark starts its own.
const testIfPossible = findProgram('mariadbd') ? test : test.skip;

testIfPossible(
  'the benchmark starts, checks the promises of both contestants, and prints ratios',
  async () => {
    builtCommand();
    const contestants = '--contestants=memory,same-promises-memory';
    const report = await runCommand(process.execPath, [join(ROOT, 'bench'), ...SHORTEST, contestants]);
    expect(report).toMatch(
      /^me, 1 connection: ours, memory \/ by hand, same promises, memory( +[\d.]+){4} +0$/m,
    );
  },
);
