import { join } from 'node:path';
import { describeOwnServer } from '../fixture/describeOwnServer';
import { runCommand } from '../runCommand';
import { builtCommand } from '../servers/builtCommand';

const ROOT = join(__dirname, '..', '..');
const SHORTEST = ['--quick', '--loads=me', '--connections=1', '--seconds=0.1', '--rounds=1'];

// The benchmark starts a MariaDB of its own.
describeOwnServer('The benchmark', 'mariadb', () => {
  test('starts, checks the promises of both contestants, and prints ratios', async () => {
    builtCommand();
    const contestants = '--contestants=memory,same-promises-memory';
    const report = await runCommand(process.execPath, [join(ROOT, 'bench'), ...SHORTEST, contestants]);
    expect(report).toMatch(
      /^me, 1 connection: ours, memory \/ by hand, same promises, memory( +[\d.]+){4} +0$/m,
    );
  });
});
