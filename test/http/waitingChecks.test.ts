import type { Knex } from 'knex';
import { openHandle } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { laterBy } from '../fixture/laterBy';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';
import { until } from '../fixture/until';
import '../fixture/tryAgain';

const MISSING = ['ssl', 'backups', 'jobs', 'cron', 'databases'];
const LOCKED = ['accounts', 'domains'];

const LOCK = {
  mariadb: `lock tables ${LOCKED.map((name) => `${name} write`).join(', ')}`,
  postgresql: `begin; lock table ${LOCKED.join(', ')}`,
};
const UNLOCK = { mariadb: 'unlock tables', postgresql: 'rollback' };

// SQLite locks no single table.
describe.each(['mariadb', 'postgresql'] as const)(
  'While checks of health.php wait for the database (%s)',
  (engine) => {
    let section: SectionPanel;
    let token: string;
    let locker: Knex;
    let health: Promise<{ readonly status: number }>;

    beforeEach(async () => {
      section = await startSectionPanel(engine, { deadlineMs: 3000 });
      const { database, panel } = section;
      for (const name of MISSING) await database.knex.schema.dropTable(name);
      token = await panel.token();
      expect((await panel.get('/api/v1/openapi.php', token)).status).toBe(200);
      locker = openHandle({ ...handleSettings(database), pool: { min: 0, max: 1 } });
      await locker.raw(LOCK[engine]);
      const waiting = new Set<string>();
      database.knex.on('query', ({ sql }: { sql: string }) => {
        for (const name of LOCKED) if (sql.includes(name)) waiting.add(name);
      });
      health = panel.get('/api/v1/health.php', token);
      await until(() => waiting.size === LOCKED.length);
    });

    afterEach(async () => {
      await locker.raw(UNLOCK[engine]);
      expect((await health).status).toBe(200);
    });

    const statuses = async (names: readonly string[]) => {
      const answers = await Promise.all(names.map((name) => section.panel.get(`/api/v1/${name}.php`, token)));
      return answers.map(({ status }) => status);
    };

    test('a list that has no table answers 501', async () => {
      expect(await statuses(MISSING)).toEqual(MISSING.map(() => 501));
    });

    test('a list that has no table answers 501 if it is looked at again', async () => {
      laterBy(5000);
      expect(await statuses(MISSING)).toEqual(MISSING.map(() => 501));
    });

    test('another list and the OpenAPI document are answered', async () => {
      laterBy(5000);
      expect(await statuses(['websites', 'openapi'])).toEqual([200, 200]);
    });

    test.each(['reference', 'tokens/new'])('the page %s of the section is answered', async (page) => {
      laterBy(5000);
      expect((await section.get(page)).status).toBe(200);
    });
  },
);
