import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../fixture/until';
import { type PageProject, projectsOf } from './pageProjects';

const { ScratchDirectory } = require('../ScratchDirectory') as {
  ScratchDirectory: new (name: string) => { readonly path: string; remove(): Promise<void> };
};
const { folder } = require('./packages') as { readonly folder: string };
const { freePort } = require('../servers/freePort') as { freePort(): Promise<number> };

const projects = projectsOf({
  handlers: 'docs/how-to/which-panel.md',
  customers: 'docs/how-to/customer-tokens.md',
  next: 'docs/how-to/next.md',
  requests: 'docs/how-to/request-response.md',
});

/** How long the slowest panel may take: Next builds itself first. */
const BUILD_MS = 180_000;

describe('A page on frameworks', () => {
  const scratch = new ScratchDirectory('pages');
  let child: ChildProcess | undefined;

  // Some servers end gracefully, and leave the panel's handle open.
  afterEach(() => child?.kill('SIGKILL'));
  afterAll(() => scratch.remove());

  /** Writes a panel where builds do not take it for a package. */
  function write({ files, base }: PageProject, work: string, port: number): void {
    mkdirSync(work, { recursive: true });
    if (base) cpSync(join(folder, base), work, { recursive: true });
    symlinkSync(join(folder, 'node_modules'), join(work, 'node_modules'));
    for (const [file, text] of files) {
      mkdirSync(dirname(join(work, file)), { recursive: true });
      writeFileSync(join(work, file), text.replace('3000', String(port)));
    }
  }

  test.each(Object.entries(projects))(
    'has %s, whose panel answers for the API, the section and itself',
    async (name, project) => {
      const port = await freePort();
      const work = join(scratch.path, name.replace(/\W/g, ''));
      write(project, work, port);
      const env = { ...process.env, HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production' };
      if (project.build) execFileSync(process.execPath, project.build, { cwd: work, env, stdio: 'pipe' });
      child = spawn(process.execPath, project.start, { cwd: work, env, stdio: 'inherit' });
      const ended = once(child, 'exit');
      // Only a panel that is told of a proxy believes it.
      const headers = { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https' };
      const status = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
        return [response.status, response.headers.get('X-Request-Id') !== null];
      };
      await until(() => status('/').then(Boolean, () => false));
      expect(child.exitCode).toBeNull();
      // The API is off, and no person is signed in.
      expect(await status('/api/v1/me.php')).toEqual([503, true]);
      expect(await status(project.section)).toEqual([403, false]);
      expect((await status('/'))[1]).toBe(false);
      child.kill('SIGKILL');
      await ended;
      rmSync(work, { recursive: true });
    },
    BUILD_MS,
  );
});
