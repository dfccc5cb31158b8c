import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { freeze } from '../../fixture/faults/freeze';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';
import { writtenRequests } from '../../fixture/writtenRequests';
import type { PrivateServer } from '../../servers/PrivateServer';
import '../../fixture/tryAgain';

const DEADLINE_MS = 1000;
const REQUESTS = 7;
const DAY = 20_000;
const FAILED = 'panel-api usage not written';
const RECOVERED = 'panel-api usage written again';

for (const engine of ['mariadb', 'postgresql'] as const) {
  describeOwnServer(`The usage counts (${engine})`, engine, (start) => {
    let server: PrivateServer;
    let database: TestDatabase;
    let panel: TestPanel;

    beforeAll(async () => {
      server = await start();
      database = await ownDatabase(server, engine);
      panel = await startPanel({ db: database.knex, deadlineMs: DEADLINE_MS });
      await panel.token();
    });

    const countLines = (message: string) => panel.log.filter((line) => line.message === message).length;

    /** Counts requests in one turn, so that none of them is written before the test's next step. */
    const count = (tokenId: number) => {
      for (let request = 0; request < REQUESTS; request += 1)
        panel.api.usage.count({ token: { id: tokenId, readAt: DAY * 86_400 }, endpoint: 'me', status: 200 });
    };

    async function untilRecovered(task: () => Promise<void>): Promise<void> {
      const before = countLines(RECOVERED);
      await task();
      await until(() => countLines(RECOVERED) > before);
    }

    test('are all written, and once, if the database froze before they were written', async () => {
      await untilRecovered(async () => {
        const before = countLines(FAILED);
        count(1);
        const thaw = freeze(server);
        try {
          await until(() => countLines(FAILED) > before);
          // A statement that was sent and given up several times must not be carried out several times.
          await sleep(4 * DEADLINE_MS);
        } finally {
          thaw();
        }
      });
      await panel.api.usage.flush();
      expect(await writtenRequests(database.knex, 1)).toBe(REQUESTS);
    });

    test('are all written if the database was killed before they were written', async () => {
      await untilRecovered(async () => {
        const before = countLines(FAILED);
        count(2);
        await server.kill();
        try {
          await until(() => countLines(FAILED) > before);
          count(2);
        } finally {
          await server.start();
        }
      });
      await panel.api.usage.flush();
      expect(await writtenRequests(database.knex, 2)).toBe(2 * REQUESTS);
    });
  });
}
