import { type ChildProcess, spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page } from '../docs/Page';
import { until } from '../fixture/until';
import type { Runtime } from './onRuntime';
import { folder, runtimes } from './packages';

const { ScratchDirectory } = require('../ScratchDirectory') as {
  ScratchDirectory: new (
    name: string,
    options: { readonly onDisk: boolean },
  ) => { readonly path: string; remove(): Promise<void> };
};
const { freePort } = require('../servers/freePort') as { freePort(): Promise<number> };

const page = new Page('docs/how-to/request-response.md');
const fileOf = (name: string) => page.blocks.find(({ info }) => info === `js ${name}`)?.text ?? '';

/** The file for Hono on Node, with what the page says of a runtime. */
function honoOn(runtime: Runtime): string {
  const [, bun = '', deno = ''] = /end with\s`(Bun[^`]*)` or\s`(Deno[^`]*)`/.exec(page.text) ?? [];
  return fileOf('hono.js')
    .replace(/^import .* from '@hono\/node-server';\n/m, '')
    .replace('@hono/node-server/conninfo', `hono/${runtime}`)
    .replace(/^serve\(.*$/m, { bun, deno }[runtime]);
}

const PANELS: readonly (readonly [name: string, runtime: Runtime, text: string])[] = [
  ['Bun.serve', 'bun', fileOf('bun.js')],
  ['Elysia', 'bun', fileOf('elysia.js')],
  ['Deno.serve', 'deno', fileOf('deno.js')],
  ['Hono on Bun', 'bun', honoOn('bun')],
  ['Hono on Deno', 'deno', honoOn('deno')],
];

describe('The page on Request and Response', () => {
  const scratch = new ScratchDirectory('runtimes', { onDisk: true });
  let panel: ChildProcess | undefined;

  beforeAll(() => {
    symlinkSync(join(folder, 'node_modules'), join(scratch.path, 'node_modules'));
    writeFileSync(join(scratch.path, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(scratch.path, 'panel-api.js'), fileOf('panel-api.js'));
  });

  afterEach(() => panel?.kill('SIGKILL'));
  afterAll(() => scratch.remove());

  test.each(PANELS)(
    'has a panel of %s that answers for the API, the section and itself',
    async (_name, runtime, text) => {
      const port = await freePort();
      writeFileSync(join(scratch.path, 'panel.js'), text.replace('3000', String(port)));
      const { program, allRights } = runtimes[runtime];
      panel = spawn(program, [...allRights, 'panel.js'], { cwd: scratch.path, stdio: 'inherit' });
      const status = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        return [response.status, response.headers.get('X-Request-Id') !== null];
      };
      await until(() => status('/').then(Boolean, () => false));
      // The API is off, and no person is signed in.
      expect(await status('/api/v1/me.php')).toEqual([503, true]);
      expect(await status('/admin/api')).toEqual([403, false]);
      expect(await status('/')).toEqual([200, false]);
    },
  );
});
