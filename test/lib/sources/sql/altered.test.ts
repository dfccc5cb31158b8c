import type { Knex } from 'knex';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../../fixture/databases';
import { gatheringSwitch } from '../../../fixture/gatheringSwitch';
import { handleSettings } from '../../../fixture/handleSettings';
import { laterBy } from '../../../fixture/laterBy';
import { startPanel, type TestPanel } from '../../../fixture/panel';

describeEachEngine('A table that is altered while the panel runs', (engine) => {
  const door = gatheringSwitch();
  let database: TestDatabase;
  let handle: Knex;
  let panel: TestPanel;

  const start = async (max: number) => {
    database = await freshDatabase(engine);
    for (const name of ['jobs', 'former_jobs']) {
      await database.knex.schema.createTable(name, (table) => {
        table.increments('id');
        for (const column of ['type', 'status', 'actor']) table.string(column);
      });
      await database.knex(name).insert({ type: 'deploy', status: 'queued', actor: 'anna' });
    }
    handle = openHandle({ ...handleSettings(database), pool: { min: 0, max } });
  };

  /** Answers to requests for as many different pages, which arrive together. */
  const pages = async (count: number) => {
    const token = await panel.token();
    panel.tablesChanged();
    door.gather(count);
    const paths = Array.from({ length: count }, (_, index) => `/api/v1/jobs.php?limit=${index + 1}`);
    const answers = await Promise.all(paths.map((path) => panel.get(path, token)));
    door.gather(1);
    return answers;
  };

  const options = () => ({ db: handle, enabled: door.enabled, rateLimit: { requests: 1000 } });

  const column = (action: (table: Knex.AlterTableBuilder) => unknown) =>
    database.knex.schema.alterTable('jobs', (table) => void action(table));

  // A request with a slot that waits for another slot would wait for itself.
  describe.each(engine === 'sqlite' ? [1] : [1, 2, 4, 10])('over %d connections', (max) => {
    beforeEach(() => start(max));

    test('is inspected again by all requests that arrive together', async () => {
      panel = await startPanel(options());
      expect(new Set((await pages(12)).map(({ status }) => status))).toEqual(new Set([200]));
      await column((table) => table.dropColumn('actor'));
      const without = await pages(12);
      expect(without.map(({ status, body }) => [status, 'actor' in (body.data?.items[0] ?? {})])).toEqual(
        without.map(() => [200, false]),
      );
      await column((table) => table.renameColumn('status', 'state'));
      expect(new Set((await pages(12)).map(({ status }) => status))).toEqual(new Set([501]));
      await column((table) => table.renameColumn('state', 'status'));
      laterBy(5000);
      expect(new Set((await pages(12)).map(({ status }) => status))).toEqual(new Set([200]));
    });

    test('is inspected again if it is a part of a list', async () => {
      panel = await startPanel({
        ...options(),
        sources: { jobs: [{ table: 'jobs' }, { table: 'former_jobs' }] },
      });
      expect(new Set((await pages(8)).map(({ status }) => status))).toEqual(new Set([200]));
      await column((table) => table.dropColumn('actor'));
      expect(new Set((await pages(8)).map(({ status }) => status))).toEqual(new Set([200]));
      await database.knex.schema.renameTable('jobs', 'elsewhere');
      expect(new Set((await pages(8)).map(({ status }) => status))).toEqual(new Set([501]));
    });
  });
});
