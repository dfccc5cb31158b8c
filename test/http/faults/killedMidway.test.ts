import type { TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { expectIdle } from '../../fixture/expectIdle';
import { freeze } from '../../fixture/faults/freeze';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { livedMs } from '../../fixture/livedMs';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createLongTable, LONG } from '../../fixture/streams/longTable';
import { openList } from '../../fixture/streams/openList';
import type { PrivateServer } from '../../servers/PrivateServer';

const DOMAINS = '/api/v1/domains.php';
const DEADLINE_MS = 1000;

/** More than a connection buffers. */
const ROWS = 2 * LONG;

for (const engine of ['mariadb', 'postgresql'] as const) {
  describeOwnServer(`A long list whose database (${engine})`, engine, (start) => {
    let server: PrivateServer;
    let database: TestDatabase;
    let panel: TestPanel;
    let token: string;

    beforeAll(async () => {
      server = await start();
      database = await ownDatabase(server, engine);
      await createLongTable(database.knex, ROWS);
      panel = await startPanel({ db: database.knex, deadlineMs: DEADLINE_MS });
      token = await panel.token();
    });

    const open = () => openList(panel.url + DOMAINS, token);

    async function expectBroken(list: Awaited<ReturnType<typeof open>>, lines: number): Promise<void> {
      expect((await list.rest()).whole).toBe(false);
      const line = (await panel.requestLines(lines)).at(-1);
      expect(line).toMatchObject({
        level: 'error',
        fields: { status: 200, error_code: 'unavailable', aborted: true, cause: expect.any(String) },
      });
    }

    async function expectRecovery(): Promise<void> {
      const { text, whole } = await (await open()).rest();
      expect([whole, JSON.parse(text).data.items.length]).toEqual([true, ROWS]);
      await expectIdle(database);
    }

    test('is killed half-way breaks off, and is whole again when it is back', async () => {
      const list = await open();
      await list.some();
      // At once, before it returns the rest, because the kill takes a moment.
      const thaw = freeze(server);
      const killed = server.kill();
      thaw();
      await killed;
      try {
        await expectBroken(list, 1);
      } finally {
        await server.start();
      }
      await expectRecovery();
    });

    test('freezes half-way is cut off within the deadline', async () => {
      const lines = (await panel.requestLines(0)).length;
      const list = await open();
      await list.some();
      const thaw = freeze(server);
      try {
        const [, lived] = await livedMs(() => expectBroken(list, lines + 1));
        expect(lived).toBeLessThan(DEADLINE_MS + 1000);
      } finally {
        thaw();
      }
      await expectRecovery();
    });
  });
}
