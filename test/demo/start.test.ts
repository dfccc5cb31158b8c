import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freePort } from '../servers/freePort';
import { runDirectory } from '../servers/serverUrl';

const ROOT = join(__dirname, '..', '..');

/** Copies what a clone contains that was built already, the demo without its own packages and database. */
function cloneWithDemo(): string {
  const clone = mkdtempSync(join(runDirectory(), 'demo-'));
  closeAtEnd(() => rmSync(clone, { recursive: true, force: true }));
  for (const name of ['package.json', 'dist', 'docs'])
    cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  cpSync(join(ROOT, 'demo'), join(clone, 'demo'), {
    recursive: true,
    filter: (path) => !/node_modules|\.sqlite/.test(path),
  });
  return clone;
}

test('npm install and npm start in the demo print a curl command that reads rows', async () => {
  const command = 'cd demo && npm install && npm start';
  const env = { ...process.env, PORT: String(await freePort()), npm_config_prefer_offline: 'true' };
  const demo = spawn('nice', ['bash', '-c', command], { cwd: cloneWithDemo(), env, detached: true });
  closeAtEnd(async () => {
    if (demo.exitCode !== null || demo.pid === undefined) return;
    process.kill(-demo.pid, 'SIGTERM');
    await once(demo, 'close');
  });
  let printed = '';
  const curl = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      printed += text;
      const [found] = /curl .*\n/.exec(printed) ?? [];
      if (found) resolve(found);
    };
    demo.stdout.setEncoding('utf8').on('data', read);
    demo.stderr.setEncoding('utf8').on('data', read);
    demo.once('close', () => reject(new Error(printed)));
  });
  const asked = spawn('bash', ['-c', curl]);
  let answer = '';
  asked.stdout.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  await once(asked, 'close');
  expect(JSON.parse(answer)).toMatchObject({ success: true, data: { items: expect.anything() } });
}, 120_000);
