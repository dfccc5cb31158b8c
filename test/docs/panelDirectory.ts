import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { builtCommand } from '../servers/builtCommand';
import { freePort } from '../servers/freePort';
import { runDirectory } from '../servers/serverUrl';
import { type ExamplePanel, startExamplePanel } from './examplePanel';
import { Page, ROOT } from './Page';

const PACKAGES = ['better-sqlite3', 'ioredis', 'knex', 'koa', 'redis', 'winston'];

/** A panel that a page's own files start, in a directory of its own, over the tables of the example panel. */
export interface PanelDirectory {
  readonly path: string;
  readonly panel: ExamplePanel;
  /** Where `panel.js` listens, which is port 3000 in the page. */
  readonly url: string;
  /** Starts a file with Node, and resolves when it listens. */
  start(file: string): Promise<ChildProcess>;
}

/** Writes the files of these pages, with a free port for 3000. */
export async function panelDirectory(...paths: readonly string[]): Promise<PanelDirectory> {
  builtCommand();
  const path = mkdtempSync(join(runDirectory(), 'panel-'));
  closeAtEnd(() => rmSync(path, { recursive: true, force: true }));
  const port = String(await freePort());
  mkdirSync(join(path, 'node_modules'));
  symlinkSync(ROOT, join(path, 'node_modules', 'koa-panel-api'));
  for (const name of PACKAGES)
    symlinkSync(join(ROOT, 'node_modules', name), join(path, 'node_modules', name));
  const panel = await startExamplePanel();
  writeFileSync(join(path, 'panel-api.config.js'), panel.config);
  for (const { info, text } of paths.flatMap((page) => new Page(page).blocks)) {
    const [language, name] = info.split(' ');
    if (language === 'js' && name) writeFileSync(join(path, name), text.replace(/\b3000\b/, port));
  }
  const url = `http://127.0.0.1:${port}`;
  return {
    path,
    panel,
    url,
    async start(file) {
      const child = spawn(process.execPath, [file], { cwd: path, stdio: ['ignore', 'ignore', 'inherit'] });
      closeAtEnd(() => child.kill('SIGKILL'));
      const failed = once(child, 'exit').then(([code]) => {
        throw new Error(`${file} ended with ${code} before it listened.`);
      });
      await Promise.race([untilAnswered(url), failed]);
      failed.catch(() => undefined);
      return child;
    },
  };
}

async function untilAnswered(url: string): Promise<void> {
  for (;;) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
