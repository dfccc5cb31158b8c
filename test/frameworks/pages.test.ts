import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, Page } from '../docs/Page';
import { until } from '../fixture/until';

const { folder } = require('./packages') as { readonly folder: string };
const { freePort } = require('../servers/freePort') as { freePort(): Promise<number> };

/** The files of a page, with their names. */
function filesOf(path: string) {
  return new Page(path).blocks
    .map(({ info, text }) => [info.split(' ')[1] ?? '', text] as const)
    .filter(([name]) => FILES.test(name));
}

const named = filesOf('docs/how-to/which-panel.md');
const customers = filesOf('docs/how-to/customer-tokens.md');

describe('The page on frameworks', () => {
  const work = join(folder, 'page');
  let child: ChildProcess;

  beforeEach(() => mkdirSync(work, { recursive: true }));

  afterEach(() => {
    child.kill();
    rmSync(work, { recursive: true });
  });

  const panels = named.filter(([name]) => name !== 'panel-api.js');
  const cases = [
    ...panels.map(([name]) => [name, named, '/admin/api'] as const),
    ...customers.map(([name]) => [name, [...named, ...customers], '/my/api'] as const),
  ];

  test.each(cases)(
    'has the file %s, whose panel answers for the API, the section and itself',
    async (name, files, section) => {
      const port = await freePort();
      for (const [file, text] of files) writeFileSync(join(work, file), text.replace('3000', String(port)));
      child = spawn(process.execPath, [name], { cwd: work, stdio: 'inherit' });
      const ended = once(child, 'exit');
      const status = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        return [response.status, response.headers.get('X-Request-Id') !== null];
      };
      await until(() => status('/').then(Boolean, () => false));
      expect(child.exitCode).toBeNull();
      // The API is off, and no person is signed in.
      expect(await status('/api/v1/me.php')).toEqual([503, true]);
      expect(await status(section)).toEqual([403, false]);
      expect((await status('/'))[1]).toBe(false);
      child.kill();
      await ended;
    },
  );
});
