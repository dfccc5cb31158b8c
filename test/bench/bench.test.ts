import { join } from 'node:path';
import { runCommand } from '../runCommand';
import { builtCommand } from '../servers/builtCommand';
import { requireProgram } from '../servers/requireProgram';

const ROOT = join(__dirname, '..', '..');
const SHORTEST = ['--quick', '--loads=me', '--connections=1', '--seconds=0.1', '--rounds=1'];

describe('The benchmark', () => {
  test('starts, checks the promises of both contestants, and prints ratios', async () => {
    builtCommand();
    // The benchmark starts a MariaDB of its own.
    requireProgram('mariadbd', 'mariadb-server-core');
    requireProgram('wrk', 'wrk');
    const contestants = '--contestants=memory,same-promises-memory';
    const report = await runCommand(process.execPath, [join(ROOT, 'bench'), ...SHORTEST, contestants]);
    expect(report).toMatch(
      /^me, 1 connection: ours, memory \/ by hand, same promises, memory( +[\d.]+){4} +0$/m,
    );
  });
});
