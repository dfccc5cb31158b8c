import { Ajv2020 } from 'ajv/dist/2020';
import type { Operation } from '../../../lib/fields/Operation';
import { operations } from '../../../routes';
import { describeOneEngine } from '../../fixture/databases';
import { type DescribedParameter, describedParameters } from '../../fixture/describedParameters';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';

interface Parameter extends Omit<DescribedParameter, 'schema'> {
  readonly schema: {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly examples?: readonly (string | number | readonly unknown[])[];
    readonly items?: { readonly type?: string | string[]; readonly enum?: readonly string[] };
  };
}

const lists = operations.filter(({ kind }) => kind === 'list').map(({ name }) => name);
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: { int64: true, 'date-time': true, date: true },
});

describeOneEngine('The OpenAPI document', (engine) => {
  let list: ListPanel;
  let document: unknown;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createFilledTables(knex);
        await knex.schema.alterTable('websites', (table) => {
          for (const column of ['account_id', 'updated_at', 'force_https', 'app']) table.dropColumn(column);
        });
      },
      {
        settings: { keys: SHOWN_SETTINGS },
        services: {
          fields: ['id', 'name', 'status'],
          rows: () => [{ id: 'nginx', name: 'nginx', status: 'running' }],
        },
        domains: [
          { fields: { parent_id: { part: 0 } } },
          { table: 'email', fields: { ssl_status: { value: 'none' }, domain: 'address' } },
        ],
      },
    );
    document = (await list.get('openapi.php')).body.data.document;
  });

  const parametersOf = (name: string) =>
    describedParameters(document, `/api/v1/${name}.php`) as readonly Parameter[];

  /** A value that the schema of a parameter allows. */
  const valueFor = async ({ name, schema }: Parameter, of: string): Promise<string> => {
    if (name === 'cursor') {
      // A list whose function returns one row has no second page.
      return (await list.get(`${of}.php?limit=1`)).body.data.next_cursor ?? '';
    }
    if (/_(?:since|before)$/.test(name)) return '2026-06-12T00:00:00Z';
    if (schema.type === 'integer' || schema.type === 'number') return '2';
    if (schema.enum) return schema.enum.at(-1) ?? '';
    const [type] = [schema.items?.type].flat();
    if (schema.items?.enum) return schema.items.enum.join();
    return { integer: '1,-2', boolean: 'true,false' }[type ?? ''] ?? "active,it's,ü";
  };

  test.each(lists)('names exactly the parameters that %s takes', async (name) => {
    const { status, body } = await list.get(`${name}.php?nonsense=1`);
    expect([status, body.error.supported]).toEqual([
      400,
      parametersOf(name).map((parameter) => parameter.name),
    ]);
  });

  test.each(lists)('describes parameters of %s that work', async (name) => {
    for (const parameter of parametersOf(name)) {
      const value = await valueFor(parameter, name);
      if (value === '') continue;
      const isList = parameter.schema.type === 'array';
      const typed = isList
        ? value.split(',').map((one) => typedAs(parameter, one))
        : typedAs(parameter, value);
      expect([parameter.name, ajv.validate(parameter.schema, typed), ajv.errors]).toEqual([
        parameter.name,
        true,
        null,
      ]);
      const path = pathOf(name, { [parameter.name]: value });
      expect([path, (await list.get(path)).status]).toEqual([path, 200]);
    }
  });

  test.each(lists)(
    'has examples for the parameters of %s that work, where no enum names the values',
    async (name) => {
      for (const { name: parameter, schema } of parametersOf(name)) {
        const { enum: words, examples = [], items } = schema;
        const isOpen = !words && !items?.enum && items?.type !== 'boolean';
        expect([parameter, examples.length]).toEqual([
          parameter,
          isOpen && parameter !== 'cursor' ? 1 : examples.length,
        ]);
        for (const example of examples) {
          expect([parameter, ajv.validate(schema, example), ajv.errors]).toEqual([parameter, true, null]);
          const path = pathOf(name, { [parameter]: String(example) });
          expect([path, (await list.get(path)).status]).toEqual([path, 200]);
        }
      }
    },
  );

  test.each(lists)('reads values of %s with commas, as it says, like repeated parameters', async (name) => {
    const several = parametersOf(name).filter(({ schema }) => schema.type === 'array');
    expect(several.map(({ style, explode }) => [style, explode])).toEqual(several.map(() => ['form', false]));
    const keys = (await list.items(`${name}.php`)).map((item) => String(Object.values(item)[0]));
    const fields = several.find((parameter) => parameter.name === 'fields')?.schema.items?.enum ?? [];
    const key = fields[0] ?? '';
    const [second = ''] = fields.slice(1);
    const apart = [key, second].map((field) => `fields=${field}`).concat(keys.map((one) => `${key}=${one}`));
    const joined = [`fields=${key},${second}`, `${key}=${keys}`];
    const [one, other] = await Promise.all(
      [apart, joined].map((query) => list.items(`${name}.php?${query.join('&')}`)),
    );
    expect(one).toEqual(other);
    expect(one?.map((item) => Object.keys(item))).toEqual(keys.map(() => [key, second]));
  });

  test('describes only what this panel has columns for', () => {
    const names = parametersOf('websites').map(({ name }) => name);
    expect(names).toEqual([
      'limit',
      'cursor',
      'order',
      'fields',
      'search',
      'count',
      'sum',
      'disk_used_bytes_min',
      'disk_used_bytes_max',
      'bandwidth_used_bytes_min',
      'bandwidth_used_bytes_max',
      'created_at_since',
      'created_at_before',
      'id',
      'domain',
      'status',
      'runtime',
      'ssl_enabled',
      'system_user',
    ]);
    expect(parametersOf('services').map(({ name }) => name)).toEqual([
      'limit',
      'cursor',
      'order',
      'fields',
      'search',
      'count',
      'id',
      'name',
      'status',
    ]);
  });

  test('describes only the declared parameters of an endpoint that is no list', () => {
    const others: readonly Operation[] = operations.filter(({ kind }) => kind === 'object');
    expect(others.map(({ name }) => [name, parametersOf(name).map((one) => one.name)])).toEqual(
      others.map(({ name, parameters = {} }) => [name, Object.keys(parameters)]),
    );
  });
});

/** A value of a parameter, with the type in its schema. */
function typedAs({ schema }: Parameter, value: string): unknown {
  const types = [schema.items?.type ?? schema.type].flat();
  return types.includes('string') ? value : JSON.parse(value);
}
