import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../runCommand';
import { compiledBetterSqlite3 } from '../steps/provideBetterSqlite3';
import { COMMAND } from './onRuntime';
import { folder, runtimes } from './packages';

const { ScratchDirectory } = require('../ScratchDirectory') as {
  ScratchDirectory: new (
    name: string,
    options: { readonly onDisk: boolean },
  ) => { readonly path: string; remove(): Promise<void> };
};

/** Native code that all runtimes load. */
const NATIVE = join(folder, 'node_modules', 'better-sqlite3', 'prebuilds', `linux-${process.arch}.node`);

describe.each(['bun', 'deno'] as const)('The driver of SQLite on %s', (runtime) => {
  const { program, args } = runtimes[runtime];
  const native = runtime === 'deno' ? ['--allow-ffi'] : [];
  const open = (driver: string) =>
    runCommand(program, [...args, ...native, join(folder, 'openSqlite.cjs'), driver]);

  test('opens a database in its version 13', async () => {
    await expect(open(join(folder, 'node_modules', 'better-sqlite3'))).resolves.toBe('');
  });

  test('is refused in its version 12, which needs an interface of Node', async () => {
    const reason = {
      bun: "'better-sqlite3' is not yet supported in Bun",
      deno: 'Only Node-API (N-API) addons are supported',
    }[runtime];
    await expect(open(compiledBetterSqlite3)).rejects.toThrow(reason);
  });
});

describe.each(['bun', 'deno'] as const)('The command on %s', (runtime) => {
  const scratch = new ScratchDirectory('runtimes', { onDisk: true });
  const { program, allRights } = runtimes[runtime];
  const write = (name: string, text: string) => writeFileSync(join(scratch.path, name), text);
  /** Runs it with all rights in the folder of a panel. */
  const run = (...words: string[]) =>
    runCommand(program, [...allRights, COMMAND, ...words], { cwd: scratch.path });

  beforeAll(() => {
    symlinkSync(join(folder, 'node_modules'), join(scratch.path, 'node_modules'));
    write('package.json', JSON.stringify({ type: 'module' }));
    write(
      'db.ts',
      "import knex from 'knex';\nexport const db: knex.Knex = knex({ client: 'better-sqlite3', connection: 'panel.sqlite', useNullAsDefault: true });\n",
    );
    mkdirSync(join(scratch.path, 'open'));
    chmodSync(join(scratch.path, 'open'), 0o777);
  });

  afterAll(() => scratch.remove());

  test('reads a configuration in TypeScript', async () => {
    write('panel-api.config.ts', "import { db } from './db.ts';\nexport default { db };\n");
    expect(await run('migrate')).toMatch(/^Applied 0001_/);
  });

  test.each(['code.js', 'code.cjs', 'data.json', 'native.node'])(
    'runs no %s that every user may replace',
    async (file) => {
      write('config.cjs', `require('./open/${file}');\n`);
      cpSync(
        file === 'native.node' ? NATIVE : join(scratch.path, 'package.json'),
        join(scratch.path, 'open', file),
      );
      await expect(run('--config', 'config.cjs', 'migrate')).rejects.toThrow(
        /^The command does not run code from .*\/open: every user may write to it\.$/m,
      );
    },
  );
});
