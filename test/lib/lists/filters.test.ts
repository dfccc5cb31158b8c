import type { Operation } from '../../../lib/fields/Operation';
import { operations } from '../../../routes';
import { describeEachEngine, describeOneEngine, shareOf } from '../../fixture/databases';
import { type Item, type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

const lists: readonly Operation[] = operations.filter(({ kind }) => kind === 'list');

const { accounts, domains, settings, services } = Object.fromEntries(
  lists.map((operation) => [operation.name, operation]),
) as Record<'accounts' | 'domains' | 'settings' | 'services', Operation>;

const WORDS = [
  ['active', 'Active', 'müller', 'muller', `%_'"\\`, '🐘', '1', '', null],
  ['active, 1', '"active"', '"a, b"@c.example', ',', '5" disk', '""'],
].flat();
const VALUES = { id: [1, 2, 1, -3, null], flag: [true, false, null, false], word: WORDS, text: WORDS };

const isFilled = (kind: string): kind is keyof typeof VALUES => kind in VALUES;

/** A value as a client writes it. One that only contains a quote stays as it is. */
const written = (value: string) =>
  value.includes(',') || value.startsWith('"') ? `"${value.replaceAll('"', '""')}"` : value;

/** Rows with values in their filterable fields that are easily mistaken for others. */
function variedRows({ fields }: Operation): Record<string, unknown>[] {
  const [key = ''] = Object.keys(fields);
  const filled = Object.entries(fields).filter(([, { filterable }]) => filterable);
  return WORDS.map((word, index) => {
    const row = filled.map(([name, { kind }], column) => {
      const values = isFilled(kind) ? VALUES[kind] : [];
      return [name, values[(index + column * 3) % values.length]];
    });
    return { ...Object.fromEntries(row), [key]: key === 'id' ? index + 1 : `${word}${index}` };
  });
}

describeEachEngine('A filter', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createPanelTables(knex);
        for (const operation of lists) {
          if (operation.name !== 'services') await knex(operation.name).insert(variedRows(operation));
        }
      },
      {
        settings: { keys: variedRows(settings).map(({ key }) => String(key)) },
        services: {
          rows: () => variedRows(services),
          fields: ['id', 'name', 'category', 'status', 'enabled'],
        },
      },
    );
  });

  const filtersOf = async (name: string): Promise<readonly string[]> => {
    const { supported } = (await list.get(`${name}.php?__proto__=`)).body.error;
    return supported.filter(
      (field: string) =>
        !['limit', 'cursor', 'order', 'fields', 'search', 'count', 'sum'].includes(field) &&
        !/_(?:since|before|min|max)$/.test(field),
    );
  };
  /** The keys of the matching rows in the whole list. */
  const holding = (items: readonly Item[], field: string, values: readonly string[]) =>
    items
      .filter((item) => item[field] !== null && values.includes(String(item[field])))
      .map((item) => Object.values(item)[0]);

  describe.each(
    shareOf(
      engine,
      lists.map(({ name }) => name),
    ),
  )('of %s', (name) => {
    test('exists for every field that is declared to have one', async () => {
      const { fields } = lists.find((operation) => operation.name === name) ?? services;
      const declared = Object.entries(fields).filter(([, { filterable }]) => filterable);
      expect(await filtersOf(name)).toEqual(declared.map(([field]) => field));
    });

    test('returns exactly the rows that hold the value', async () => {
      const all = await list.items(`${name}.php`);
      expect(all).toHaveLength(WORDS.length);
      for (const field of await filtersOf(name)) {
        const values = new Set(
          all.map((item) => item[field]).filter((value) => value !== null && value !== ''),
        );
        expect([field, values.size > 1]).toEqual([field, true]);
        for (const value of values) {
          const path = pathOf(name, { [field]: written(String(value)) });
          expect([path, await list.keys(path)]).toEqual([path, holding(all, field, [String(value)])]);
        }
      }
    });

    test('returns the rows that hold one of several values, on pages too', async () => {
      const all = await list.items(`${name}.php`);
      for (const field of await filtersOf(name)) {
        const values = [...new Set(all.map((item) => item[field]))].filter(
          (value) => value !== null && value !== '',
        );
        const some = values.slice(0, 3).map(String);
        const path = pathOf(name, { [field]: some.map(written).join(), limit: '2' });
        const found = (await list.pages(path)).flat().map((item) => Object.values(item)[0]);
        expect([path, found]).toEqual([path, holding(all, field, some)]);
      }
    });

    test('returns no row for a value that no row holds', async () => {
      const all = await list.items(`${name}.php`);
      for (const field of await filtersOf(name)) {
        if (all.some((item) => typeof item[field] === 'boolean')) continue;
        const isNumber = all.some((item) => typeof item[field] === 'number');
        for (const value of isNumber
          ? ['99', '9'.repeat(20), `-${'9'.repeat(40)}`]
          : ['%', '_', 'unused', '\u{1f9ff}']) {
          const path = pathOf(name, { [field]: value });
          expect([path, await list.items(path)]).toEqual([path, []]);
        }
      }
    });
  });

  test('applies all of several filters', async () => {
    const all = await list.items('accounts.php');
    const one = all.find((item) => item.two_factor_enabled === true && item.owner_id !== null);
    const statuses = [String(one?.status), 'unknown', 'müller'];
    const status = statuses.map(written).join();
    const wanted = { status, two_factor_enabled: 'true', owner_id: `${one?.owner_id},99` };
    const expected = all.filter(
      (item) =>
        statuses.includes(String(item.status)) &&
        item.two_factor_enabled === true &&
        item.owner_id === one?.owner_id,
    );
    expect(expected).not.toEqual([]);
    expect(await list.items(pathOf('accounts', wanted))).toEqual(expected);
    expect((await list.pages(pathOf('accounts', { ...wanted, limit: '1' }))).flat()).toEqual(expected);
  });
});

describeOneEngine('A filter as clients write it', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['accounts', 'domains']);
      await knex('accounts').insert(variedRows(accounts));
      await knex('domains').insert(variedRows(domains));
    });
  });

  test.each<[string, string, readonly string[]]>([
    ['in quotes', '"active"', ['active']],
    ['in quotes beside others', 'active,"active, 1",Active', ['Active', 'active', 'active, 1']],
    ['with a quote in its middle', '5" disk', ['5" disk']],
    ['with a part in quotes at its beginning', '"a, b"@c.example', ['"a, b"@c.example']],
    ['with a comma, and no quotes', 'active, 1', ['active']],
  ])('reads a text %s', async (_how, status, expected) => {
    const items = await list.items(pathOf('accounts', { status, fields: 'status' }));
    expect([...new Set(items.map((item) => String(item.status)))].toSorted()).toEqual(expected);
  });

  test.each(['"active', '"active,1', 'Active,"active', '"', '"a""'])(
    'refuses quotes that are not closed: %s',
    async (status) => {
      const { status: code, body } = await list.get(pathOf('accounts', { status }));
      expect([code, body.error.parameter]).toEqual([400, 'status']);
      expect(body.message).toBe(
        'status must be closed by a double quote, because a value begins with one; a double quote within such a value is doubled.',
      );
    },
  );

  test('is repeated by clients of other languages with brackets', async () => {
    const commas = await list.items('accounts.php?status=active,müller&fields=id,status');
    expect(commas).toHaveLength(2);
    for (const query of [
      'status[]=active&status[]=müller&fields[]=id&fields[]=status',
      'status%5B0%5D=active&status%5B1%5D=müller&fields[0]=id&fields[1]=status',
      'status[]=active&status=müller&fields=status',
    ])
      expect([query, await list.items(`accounts.php?${query}`)]).toEqual([query, commas]);
    expect((await list.get('accounts.php?sum[]=disk_used_bytes')).body.data.total).toBe(WORDS.length);
  });

  test.each(['true', 'True', 'TRUE', '1', 'false', 'False', '0', '1,0', 'True,false'])(
    'of a flag is true or false, also written as %s',
    async (flag) => {
      const wanted = flag.split(',').map((word) => ['true', '1'].includes(word.toLowerCase()));
      const all = await list.items('accounts.php');
      const expected = all.filter(({ two_factor_enabled: value }) => wanted.includes(value as boolean));
      expect(expected).not.toEqual([]);
      expect(await list.items(`accounts.php?two_factor_enabled=${flag}`)).toEqual(expected);
    },
  );

  test.each(['1', 'True'])('lets its rows be counted with count=%s', async (count) => {
    const { items, total } = (await list.get(`accounts.php?count=${count}&status=active`)).body.data;
    expect([items, total]).toEqual([[], 1]);
  });

  test('reads a whole number however it is written', async () => {
    expect(await list.items('domains.php?account_id=0001,-03')).toEqual(
      await list.items('domains.php?account_id=1,-3'),
    );
  });
});
