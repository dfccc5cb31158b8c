import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, Page } from '../docs/Page';
import { until } from '../fixture/until';

const { folder } = require('./packages') as { readonly folder: string };
const { freePort } = require('../servers/freePort') as { freePort(): Promise<number> };

const page = new Page('docs/how-to/which-panel.md');
const files = page.blocks.filter(({ info }) => FILES.test(info.split(' ')[1] ?? ''));
const named = files.map(({ info, text }) => [info.split(' ')[1] ?? '', text] as const);

describe('The page on frameworks', () => {
  const work = join(folder, 'page');
  let child: ChildProcess;

  beforeEach(() => mkdirSync(work, { recursive: true }));

  afterEach(() => {
    child.kill();
    rmSync(work, { recursive: true });
  });

  test.each(named.filter(([name]) => name !== 'panel-api.js'))(
    'has the file %s, whose panel answers for the API, the section and itself',
    async (name) => {
      const port = await freePort();
      for (const [file, text] of named) writeFileSync(join(work, file), text.replace('3000', String(port)));
      child = spawn(process.execPath, [name], { cwd: work, stdio: 'inherit' });
      const ended = once(child, 'exit');
      const status = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        return [response.status, response.headers.get('X-Request-Id') !== null];
      };
      await until(() => status('/').then(Boolean, () => false));
      expect(child.exitCode).toBeNull();
      // The API is off, and the section has not been asked by an administrator.
      expect(await status('/api/v1/me.php')).toEqual([503, true]);
      expect(await status('/admin/api')).toEqual([403, false]);
      expect((await status('/'))[1]).toBe(false);
      child.kill();
      await ended;
    },
  );
});
