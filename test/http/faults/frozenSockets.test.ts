import { setTimeout as sleep } from 'node:timers/promises';
import { poolWarnings } from '../../../bin/commands/check';
import { openHandle } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { freeze } from '../../fixture/faults/freeze';
import { openSockets } from '../../fixture/faults/openSockets';
import { ownDatabase, QUIET } from '../../fixture/faults/ownDatabase';
import { startPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const POOL = 4;
/** As long as twenty attempts to connect for each place of the pool. */
const FROZEN_MS = 6000;

describe.each([
  ['postgresql', 'connectionTimeoutMillis'],
  ['mariadb', 'connectTimeout'],
] as const)('With %s and the option %s that the check asks for', (engine, option) => {
  describeOwnServer('a panel', engine, (start) => {
    test('opens no more sockets than twice its pool while the database is frozen', async () => {
      const server = await start();
      const { knex: direct, url } = await ownDatabase(server, engine);
      const db = openHandle({
        client: direct.client.config.client,
        connection: `${url}?${option}=300`,
        pool: { min: 0, max: POOL },
        ...QUIET,
      });
      expect(poolWarnings(db)).toEqual([]);
      // A busy machine may take longer to connect than the option allows, and then each request fails.
      const token = await (await startPanel({ db: direct })).token({ rateLimit: 10_000 });
      await direct.destroy();
      const panel = await startPanel({ db, deadlineMs: 1000 });
      await panel.get(ME, token);

      const thaw = freeze(server);
      const answers: Promise<unknown>[] = [];
      let most = 0;
      for (let passed = 0; passed < FROZEN_MS; passed += 100) {
        answers.push(panel.get(ME, token).then(({ status }) => expect([200, 503]).toContain(status)));
        answers.push(db.raw('select 1').catch(() => undefined));
        await sleep(100);
        most = Math.max(most, openSockets(server));
      }
      thaw();
      await Promise.all(answers);
      expect(most).toBeGreaterThan(0);
      // A socket may be in its place for a moment beside the one that is ended, and one may carry the request to cancel.
      expect(most).toBeLessThanOrEqual(2 * POOL);
    });
  });
});
