import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { readServerHealth, type ServerHealth } from '../../../lib/system/serverHealth';

let health: ServerHealth;

beforeAll(async () => {
  health = await readServerHealth();
});

test('this machine is described under the names of the contract', () => {
  expect(Object.keys(health)).toEqual([
    'hostname',
    'os',
    'kernel',
    'arch',
    'uptime_seconds',
    'load',
    'cpu',
    'memory',
    'swap',
    'disks',
    'status',
    'collected_at',
  ]);
  expect(health).toMatchObject({
    hostname: os.hostname(),
    kernel: os.release(),
    cpu: { cores: os.cpus().length },
  });
});

test('its root filesystem has the size that df knows', () => {
  const blocks = execFileSync('df', ['--block-size=1', '--output=size', '/'], { encoding: 'utf8' });
  const root = health.disks.find(({ mount }) => mount === '/');
  expect(root?.total_bytes).toBe(Number(blocks.split('\n')[1]));
});

test('it was read just now', () => {
  expect(Math.abs(Date.now() / 1000 - health.collected_at)).toBeLessThan(60);
});
