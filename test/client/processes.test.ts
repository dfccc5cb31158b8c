import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { FileStore } from '../../client/FileStore';
import { answer, startServer } from '../fixture/clientServer';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { ScratchDirectory } from '../ScratchDirectory';
import { runDirectory } from '../servers/serverUrl';

const PROCESSES = join(__dirname, '../fixture/processes');

const bodyOf = (count: number) => {
  const items = Array.from({ length: count }, (_, index) => ({ id: index + 1, domain: `d${index}.example` }));
  const data = { resource: 'domains', items };
  return JSON.stringify({ success: true, message: '', data, timestamp: '' });
};

/** Starts a process that brings the copy up to date. `printed` is what it has printed when it has ended. */
function startSync(url: string, path: string) {
  const program = ['--require', join(PROCESSES, 'loadTypescript.js'), join(PROCESSES, 'syncOnce.ts')];
  const env = { ...process.env, TEST_DIRECTORY: runDirectory(), SYNC_URL: url, SYNC_PATH: path };
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  closeAtEnd(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  const printed = once(child, 'close').then(() => (text === '' ? null : JSON.parse(text)));
  return { child, printed };
}

test('Two processes do not bring one file up to date at once, and one that was killed leaves it as it was', async () => {
  const directory = new ScratchDirectory('copies');
  closeAtEnd(() => directory.remove());
  const path = join(directory.path, 'domains.copy');
  const half: RequestListener = (_request, response) => response.write(bodyOf(30).slice(0, -50));
  const { url, urls } = await startServer(answer(200, bodyOf(10)), half, answer(200, bodyOf(20)));
  expect(await startSync(url, path).printed).toMatchObject({ created: 10 });

  const first = startSync(url, path);
  // The first run writes when its request has arrived.
  while (urls.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(existsSync(`${path}.new`)).toBe(true);
  expect(await startSync(url, path).printed).toBe('COPY_BUSY');
  first.child.kill('SIGKILL');
  expect(await first.printed).toBeNull();
  expect([...new FileStore(path).keys()]).toHaveLength(10);

  expect(await startSync(url, path).printed).toMatchObject({ created: 10, unchanged: 10 });
  expect([...new FileStore(path).keys()]).toHaveLength(20);
  expect(existsSync(`${path}.new`)).toBe(false);
}, 60_000);
