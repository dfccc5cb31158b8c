import { operations } from '../../../routes';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { lintDocument } from '../../fixture/lintDocument';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';

describeEachEngine('The OpenAPI document', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  const document = async () => {
    panel = await startPanel({ db: database.knex });
    return (await panel.get('/api/v1/openapi.php', await panel.token())).body.data.document;
  };

  test('has every endpoint that this panel serves', async () => {
    await createPanelTables(database.knex);
    expect(Object.keys((await document()).paths)).toEqual(
      operations.map(({ name }) => `/api/v1/${name}.php`),
    );
  });

  test('has no endpoint whose table is missing', async () => {
    await createPanelTables(database.knex, ['domains']);
    const lists = Object.keys((await document()).paths).filter((path) => /domains|jobs|cron/.test(path));
    expect(lists).toEqual(['/api/v1/domains.php']);
  });

  test('has exactly the fields that this panel supplies', async () => {
    await database.knex.schema.createTable('jobs', (table) => {
      table.increments('id');
      table.string('type');
      table.string('status');
      table.string('payload');
    });
    const { paths } = await document();
    const { schema } = paths['/api/v1/jobs.php'].get.responses[200].content['application/json'];
    const item = schema.properties.data.properties.items.items;
    expect(Object.keys(item.properties)).toEqual(['id', 'type', 'status']);
    expect(item.properties.id.type).toBe('integer');
  });

  test("passes Redocly's linter without an error or a warning", async () => {
    await createPanelTables(database.knex);
    expect(await lintDocument(await document())).toEqual([]);
  });
});
