import { once } from 'node:events';
import { openHandle } from '../fixture/databases';
import { panelDirectory } from './panelDirectory';

const ME = '/api/v1/me.php';

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the panel of the page ends on %s by itself, and has written its last counts',
  async (signal) => {
    const { start, url, panel } = await panelDirectory('docs/how-to/shut-down.md');
    const child = await start('panel.js');
    const headers = { Authorization: `Bearer ${panel.token}` };
    for (let request = 0; request < 3; request += 1)
      expect((await fetch(url + ME, { headers })).status).toBe(200);
    child.kill(signal);
    child.kill(signal);
    const [code, by] = await once(child, 'exit');
    // At the end, Node no longer handles signals: the second one may arrive then.
    expect([code ?? 0, by ?? signal]).toEqual([0, signal]);
    const db = openHandle({
      client: 'better-sqlite3',
      connection: { filename: panel.file },
      useNullAsDefault: true,
    });
    expect(await db('panel_api_usage').where({ token_id: 1, endpoint: 'me' }).pluck('requests')).toEqual([3]);
  },
);
