import { once } from 'node:events';
import { openHandle } from '../fixture/databases';
import { panelDirectory } from './panelDirectory';

const ME = '/api/v1/me.php';
const LIMIT = 120;

test('the processes of the page share one limit exactly, and all write their last counts', async () => {
  const { start, url, panel } = await panelDirectory(
    'docs/how-to/several-processes.md',
    'docs/how-to/shut-down.md',
  );
  const child = await start('cluster.js');
  const db = openHandle({
    client: 'better-sqlite3',
    connection: { filename: panel.file },
    useNullAsDefault: true,
  });
  // A window that the test does not outlive.
  await db('panel_api_settings').insert({
    name: 'rate_limit_window_seconds',
    value: '86400',
    updated_at: 1,
    updated_by: 'test',
  });
  const headers = { Authorization: `Bearer ${panel.token}`, Connection: 'close' };
  const statuses: number[] = [];
  for (let round = 0; round < 13; round += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(url + ME, { headers })));
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const counts = await db('panel_api_usage').where({ token_id: 1, endpoint: 'me' }).pluck('requests');
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(130);
});
