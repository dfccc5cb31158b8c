import { join } from 'node:path';
import { engines, requireSqlite } from '../fixture/databases';
import { runCommand } from '../runCommand';
import { builtCommand } from '../servers/builtCommand';
import { requireProgram } from '../servers/requireProgram';

const ROOT = join(__dirname, '..', '..');
const SHORTEST = ['--quick', '--loads=me', '--connections=1', '--seconds=1', '--rounds=1'];

describe('The benchmark', () => {
  test.each(engines)('checks the promises of both contestants, and prints ratios (%s)', async (engine) => {
    builtCommand();
    // The benchmark starts a server of its own.
    if (engine === 'mariadb') requireProgram('mariadbd', 'mariadb-server-core');
    if (engine === 'postgresql') requireProgram('postgres', 'postgresql');
    if (engine === 'sqlite') requireSqlite();
    requireProgram('wrk', 'wrk');
    const store = engine === 'mariadb' ? 'memory' : 'database';
    const more = [`--engine=${engine}`, `--contestants=${store},same-promises-${store}`];
    const report = await runCommand(process.execPath, [join(ROOT, 'bench'), ...SHORTEST, ...more]);
    const line = `^me, 1 connection: ours, ${store} / by hand, same promises, ${store}( +[\\d.-]+){6} +0$`;
    expect(report).toMatch(new RegExp(line, 'm'));
  });
});
