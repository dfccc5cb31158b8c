import { randomBytes } from 'node:crypto';
import { describeEachEngine, freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { scaled } from '../../prove/scale';

const ME = '/api/v1/me.php';
const TOKENS = scaled({ fast: 3000, full: 100_000, long: 300_000 });
const AT_ONCE = 100;

jest.setTimeout(600_000);

describeEachEngine('Turning the addresses of the last uses off', (engine) => {
  test('deletes all of them, and refuses no request meanwhile', async () => {
    const { knex } = await freshDatabase(engine);
    const panel = await startPanel({ db: knex, deadlineMs: 5000, rateLimit: { requests: 1_000_000 } });
    const used = await Promise.all([1, 2, 3, 4].map(() => panel.token()));
    const from = 1000;
    const ids = Array.from({ length: TOKENS }, (_, index) => from + index);
    const tokens = ids.map((id) => ({
      id,
      name: `${id}`,
      prefix: 'pnl_abcdef',
      hash: randomBytes(32),
      scopes: '*',
      created_at: 1,
      created_by: 'tester',
      seen_networks: '192.0.2.0/24=1',
    }));
    await knex.batchInsert('panel_api_tokens', tokens, AT_ONCE);
    const row = { window_start: 0, hits: 0, last_used_at: 1, last_used_address: '192.0.2.7' };
    const counts = ids.map((token_id) => ({ token_id, ...row }));
    await knex.batchInsert('panel_api_rate_limits', counts, AT_ONCE);

    let isOver = false;
    const statuses = new Map<number, number>();
    const load = used.map(async (token) => {
      while (!isOver) {
        const { status } = await panel.get(ME, token);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    await panel.api.settings.change({ lastUsedAddress: false }, AUTHOR);
    isOver = true;
    await Promise.all(load);
    expect([...statuses.keys()]).toEqual([200]);
    const left = await knex('panel_api_rate_limits').whereNotNull('last_used_address').pluck('token_id');
    // A request that began before may have stored its address.
    expect(left.filter((id) => id >= from)).toEqual([]);
    expect(await knex('panel_api_tokens').whereNotNull('seen_networks').pluck('id')).toEqual([]);
  });
});
