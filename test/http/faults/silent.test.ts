import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { newToken } from '../../../lib/tokens/tokenFormat';
import { freshDatabase, isMysql, type TestDatabase } from '../../fixture/databases';
import { openThroughSilentProxy, type SilentProxy } from '../../fixture/faults/silentProxy';
import { livedMs } from '../../fixture/livedMs';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { isWhole } from '../../prove/scale';

const ME = '/api/v1/me.php';
const POOL = 2;
const DEADLINE_MS = isWhole ? 2000 : 1500;

describe.each(['mariadb', 'postgresql'] as const)(
  'When a connection to %s falls silent, a panel',
  (engine) => {
    // MySQL itself ends no change at its limit, so its connection is kept for a minute.
    const keptMs = engine === 'mariadb' && isMysql ? 61_000 : 0;
    // The pool has as many connections.
    const rounds = keptMs ? 1 : POOL;
    let database: TestDatabase;
    let proxy: SilentProxy;
    let knex: Knex;
    let panel: TestPanel;

    beforeEach(async () => {
      database = await freshDatabase(engine);
      ({ proxy, knex } = await openThroughSilentProxy(database, { min: 0, max: POOL }));
      panel = await startPanel({ db: knex, deadlineMs: DEADLINE_MS });
    });

    test('answers 503 within the deadline, and the next request over another connection', async () => {
      const token = await panel.token();
      proxy.silence();
      const { status, body } = await panel.get(ME, token);
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      expect((await panel.get(ME, token)).status).toBe(200);
    });

    const closesLost = async () => {
      const token = await panel.token();
      for (let round = 0; round < rounds; round += 1) {
        await panel.api.usage.flush();
        const silence = ({ sql }: { sql: string }) => /^insert/i.test(sql) && proxy.silence();
        knex.on('query', silence);
        await expect(panel.token()).rejects.toThrow();
        knex.off('query', silence);
        // The rollback fails as well, at a second deadline.
        while (knex.client.pool.numUsed() > 0) await sleep(20);
        expect((await panel.get(ME, token)).status).toBe(200);
        expect((await panel.get(ME, await panel.token())).status).toBe(200);
      }
    };
    test(
      'closes the connections of transactions that it lost, one after another',
      closesLost,
      60_000 + keptMs,
    );

    test('answers 503 at its first use, and serves the next request over another connection', async () => {
      // The request that is served creates the tables, within its deadline.
      const fresh = await startPanel({ db: knex, deadlineMs: 3 * DEADLINE_MS });
      await knex.raw('select 1');
      proxy.silence();
      const unknown = newToken('pnl');
      expect((await fresh.get(ME, unknown)).status).toBe(503);
      expect((await fresh.get(ME, unknown)).status).toBe(401);
      expect((await fresh.get(ME, await fresh.token())).status).toBe(200);
    });

    test.each([
      ['beginning', /^begin|start transaction$/i],
      ['middle', /^insert/i],
      ['end', /^commit/i],
    ])(
      'aborts a change at whose %s it happens, and closes the connection',
      async (place, statement) => {
        await panel.token();
        const silence = ({ sql }: { sql: string }) => {
          if (statement.test(sql)) proxy.silence();
        };
        knex.on('query', silence);
        const [, lived] = await livedMs(() => expect(panel.token()).rejects.toThrow('tokens.create failed'));
        // An unanswered COMMIT is looked up for another deadline.
        expect(lived).toBeLessThan((place === 'end' ? 2 : 1) * DEADLINE_MS + 500);
        knex.off('query', silence);
        const { pool } = knex.client;
        const [, longer] = await livedMs(async () => {
          while (pool.numUsed() > 0) await sleep(20);
        });
        expect(longer).toBeLessThan(DEADLINE_MS + 1000 + (place === 'middle' ? keptMs : 0));
        expect((await panel.get(ME, await panel.token())).status).toBe(200);
        expect(await panel.api.tokens.list()).toHaveLength(2);
      },
      60_000 + keptMs,
    );
  },
);
