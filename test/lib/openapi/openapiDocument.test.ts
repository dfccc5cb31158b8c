import { Ajv2020 } from 'ajv/dist/2020';
import type { Operation } from '../../../lib/operations/Operation';
import { operations } from '../../../routes';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { lintDocument } from '../../fixture/lintDocument';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';

type Paths = Readonly<
  Record<
    string,
    {
      readonly get: {
        readonly operationId: string;
        // biome-ignore lint/suspicious/noExplicitAny: the document is read as the reader of its JSON would.
        readonly responses: { readonly 200: { readonly content: { 'application/json': any } } };
      };
    }
  >
>;

describeOneEngine('The OpenAPI document', (engine) => {
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
    const { Job } = (await document()).components.schemas;
    expect(Object.keys(Job.properties)).toEqual(['id', 'type', 'status']);
    expect(Job.required).toEqual(['id', 'type', 'status']);
    expect(Job.properties.id.type).toBe('integer');
  });

  test('names each operation as a method, and each item and object as a type', async () => {
    await createPanelTables(database.knex);
    const { paths, components } = await document();
    const ids = Object.values(paths as Paths).map(({ get }) => get.operationId);
    expect(ids.join(' ')).toBe(
      'getMe listAccounts listDomains listWebsites listEmail listDatabases listSsl listBackups listJobs listCron ' +
        'listServices listSettings getHealth getServerHealth getOpenapi getReleaseAudit',
    );
    expect(
      Object.keys(components.schemas)
        .filter((name) => !name.endsWith('List'))
        .join(' '),
    ).toBe(
      'Me Account Domain Website EmailAddress Database Certificate Backup Job ScheduledTask Service Setting ' +
        'Health ServerHealth Openapi ReleaseAudit Error',
    );
  });

  test('has an example of every answer, with every field, that fits its schema', async () => {
    await createPanelTables(database.knex);
    const { paths, components } = await document();
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } });
    ajv.addKeyword('components');
    for (const { get } of Object.values(paths as Paths)) {
      const { schema, example } = get.responses[200].content['application/json'];
      const validate = ajv.compile({ ...schema, components });
      expect([get.operationId, validate(example), validate.errors]).toEqual([get.operationId, true, null]);
      const { items, resource } = example.data;
      const { item } = operations.find(({ name }) => name === resource) as Operation;
      if (item) expect(Object.keys(items[0])).toEqual(components.schemas[item].required);
    }
  });

  test("passes Redocly's linter without an error or a warning", async () => {
    await createPanelTables(database.knex);
    expect(await lintDocument(await document())).toEqual([]);
  });
});
