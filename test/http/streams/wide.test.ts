import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';

const ROWS = 60;
const LONG = 'x'.repeat(40_000);

describeEachEngine('A list of few and long rows', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createPanelTables(database.knex, ['jobs']);
    for (let row = 0; row < ROWS; row += 1) {
      await database.knex('jobs').insert({ type: 'deploy', status: 'failed', error: LONG });
    }
    panel = await startPanel({ db: database.knex });
  });

  test('is sent in pieces too, because its length counts and not its rows', async () => {
    const { status, headers, body } = await panel.get('/api/v1/jobs.php', await panel.token());
    expect([status, headers.get('etag'), headers.get('content-length')]).toEqual([200, null, null]);
    expect(body.data.items.map(({ id, error }: { id: number; error: string }) => [id, error.length])).toEqual(
      Array.from({ length: ROWS }, (_, index) => [index + 1, LONG.length]),
    );
  });
});
