import { Ajv2020 } from 'ajv/dist/2020';
import type { Operation } from '../../../lib/fields/Operation';
import type { JsonSchema } from '../../../lib/json/json';
import { operations } from '../../../routes';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { describedParameters } from '../../fixture/describedParameters';
import { lintDocument } from '../../fixture/lintDocument';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';

type Paths = Readonly<
  Record<
    string,
    {
      readonly get: {
        readonly operationId: string;
        readonly parameters: readonly { readonly $ref?: string }[];
        // biome-ignore lint/suspicious/noExplicitAny: the document is read as the reader of its JSON would.
        readonly responses: { readonly 200: { readonly content: { 'application/json': any } } };
      };
    }
  >
>;

/** A name such as `server-health` as `ServerHealth`. */
const inPascalCase = (name: string) =>
  name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

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
    expect(Job.required).toEqual(['id']);
    expect(Job.properties.id.type).toBe('integer');
  });

  test('names each operation as a method, and each item and object as a type', async () => {
    await createPanelTables(database.knex);
    const { paths, components } = await document();
    const ids = Object.values(paths as Paths).map(({ get }) => get.operationId);
    expect(ids).toEqual(
      operations.map(({ kind, name }) => (kind === 'list' ? 'list' : 'get') + inPascalCase(name)),
    );
    expect(ids).toEqual(expect.arrayContaining(['listSsl', 'getServerHealth']));
    expect(Object.keys(components.schemas).filter((name) => !/List$|Answer$/.test(name))).toEqual([
      ...operations.map((operation) =>
        operation.kind === 'list' ? operation.item : inPascalCase(operation.name),
      ),
      'ApiError',
    ]);
    const answers = Object.values(paths as Paths).map(
      ({ get }) => get.responses[200].content['application/json'].schema.$ref,
    );
    expect(answers).toEqual(ids.map((id) => `#/components/schemas/${id.replace(/^get|^list/, '')}Answer`));
  });

  test('has an example of every answer, with every field, that fits its schema', async () => {
    await createPanelTables(database.knex);
    const { paths, components } = await document();
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      formats: { int64: true, 'date-time': true },
    });
    ajv.addKeyword('components');
    for (const { get } of Object.values(paths as Paths)) {
      const { schema, example } = get.responses[200].content['application/json'];
      const validate = ajv.compile({ ...schema, components });
      expect([get.operationId, validate(example), validate.errors]).toEqual([get.operationId, true, null]);
      const { items, resource } = example.data;
      const { item } = operations.find(({ name }) => name === resource) as Operation;
      if (item) expect(Object.keys(items[0])).toEqual(Object.keys(components.schemas[item].properties));
    }
  });

  test('gives sizes, ids and totals 64 bits, and so does each range and filter of them', async () => {
    await createPanelTables(database.knex);
    const { paths, components } = await document();
    const { Account, AccountList, Domain } = components.schemas;
    const total = AccountList.properties;
    const parameters = describedParameters({ paths, components }, '/api/v1/accounts.php');
    const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema as never;
    for (const schema of [
      Account.properties.id,
      Account.properties.disk_used_bytes,
      Account.properties.inode_count,
      Domain.properties.id,
      total.total,
      total.counts.additionalProperties,
      total.sums.additionalProperties,
      schemaOf('disk_used_bytes_min'),
      (schemaOf('id') as { readonly items: JsonSchema }).items,
    ])
      expect(schema).toMatchObject({ format: 'int64' });
  });

  test('has nothing on which generators stop', async () => {
    await createPanelTables(database.knex);
    const described = await document();
    const schemas = [...schemasIn(described.components), ...schemasIn(described.paths)];
    // A time with a pattern is compared as an object; a list of types is known only with null; constants are of texts.
    expect(schemas.filter(({ format, pattern }) => format !== undefined && pattern !== undefined)).toEqual(
      [],
    );
    const several = (type: unknown) => [type].flat().filter((one) => one !== 'null').length > 1;
    expect(schemas.filter(({ type }) => several(type))).toEqual([]);
    expect(schemas.filter((one) => typeof (one.const ?? '') !== 'string')).toEqual([]);
    expect(described.components.schemas.Setting.properties.value.anyOf).toEqual([
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { type: 'string' } },
      { type: 'null' },
    ]);
  });

  test('has each parameter once that several lists have', async () => {
    await createPanelTables(database.knex);
    const { paths, components } = await document();
    const inline = Object.values(paths as Paths).flatMap(({ get }) => get.parameters);
    const texts = inline.filter((one) => !one.$ref).map((one) => JSON.stringify(one));
    const shared = Object.keys(components.parameters);
    expect(shared).toEqual(
      expect.arrayContaining(['limitParameter', 'cursorParameter', 'account_idParameter']),
    );
    const unshared = texts.filter(
      (text, index) => texts.indexOf(text) !== index && !shared.includes(`${JSON.parse(text).name}Parameter`),
    );
    expect(unshared).toEqual([]);
    const names = Object.values<{ readonly name: string }>(components.parameters).map(({ name }) => name);
    expect(shared).toEqual(names.map((name) => `${name}Parameter`));
  });

  test("passes Redocly's linter without an error or a warning", async () => {
    await createPanelTables(database.knex);
    expect(await lintDocument(await document())).toEqual([]);
  });
});

/** Every object in a part of the document: its schemas, and more. */
function schemasIn(part: unknown): readonly JsonSchema[] {
  if (typeof part !== 'object' || part === null) return [];
  return [...(Array.isArray(part) ? [] : [part as JsonSchema]), ...Object.values(part).flatMap(schemasIn)];
}
