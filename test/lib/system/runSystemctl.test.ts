import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runSystemctl } from '../../../lib/system/systemd';

const pathBefore = process.env.PATH ?? '';
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'systemctl-'));
  process.env.PATH = `${directory}:${pathBefore}`;
});

afterAll(async () => {
  process.env.PATH = pathBefore;
  await rm(directory, { recursive: true });
});

async function pretend(script: string): Promise<void> {
  const file = path.join(directory, 'systemctl');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

test('arguments reach systemctl as they are, without a shell between', async () => {
  await pretend('printf "%s|" "$@"');
  expect(await runSystemctl(['show', '--', '$(id)', 'a b'])).toBe('show|--|$(id)|a b|');
});

test('systemctl speaks English in UTC and sees nothing else of the environment', async () => {
  await pretend('echo "$LC_ALL $TZ [$HOME]"');
  expect(await runSystemctl([])).toBe('C UTC []\n');
});

test('a failing systemctl rejects', async () => {
  await pretend('echo partial; exit 1');
  await expect(runSystemctl([])).rejects.toThrow();
});

test('a systemctl that hangs is ended after two seconds', async () => {
  await pretend('exec sleep 60');
  const begun = performance.now();
  await expect(runSystemctl([])).rejects.toThrow();
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('too much output rejects', async () => {
  await pretend('exec head -c 2000000 /dev/zero');
  await expect(runSystemctl([])).rejects.toThrow(/maxBuffer/);
});
