import type { Operation } from '../../../lib/operations/Operation';
import { operations } from '../../../routes';
import { describeEachEngine, shareOf } from '../../fixture/databases';
import { type Item, type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

const lists: readonly Operation[] = operations.filter(({ kind }) => kind === 'list');

const { settings, services } = Object.fromEntries(
  lists.map((operation) => [operation.name, operation]),
) as Record<'settings' | 'services', Operation>;

const WORDS = ['active', 'Active', 'müller', 'muller', `%_'"\\`, '🐘', '1', '', null];
const VALUES = { id: [1, 2, 1, -3, null], flag: [true, false, null, false], word: WORDS, text: WORDS };

const isFilled = (kind: string): kind is keyof typeof VALUES => kind in VALUES;

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
          const path = pathOf(name, { [field]: String(value) });
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
        const path = pathOf(name, { [field]: some.join(), limit: '2' });
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
    const wanted = { status: 'active,Active,unknown,müller', two_factor_enabled: 'true', owner_id: '1,-3' };
    const expected = all.filter(
      ({ status, two_factor_enabled, owner_id }) =>
        ['active', 'Active', 'unknown', 'müller'].includes(String(status)) &&
        two_factor_enabled === true &&
        [1, -3].includes(Number(owner_id)),
    );
    expect(expected).not.toEqual([]);
    expect(await list.items(pathOf('accounts', wanted))).toEqual(expected);
    expect((await list.pages(pathOf('accounts', { ...wanted, limit: '1' }))).flat()).toEqual(expected);
  });

  test('reads a whole number however it is written', async () => {
    expect(await list.items('domains.php?account_id=0001,-03')).toEqual(
      await list.items('domains.php?account_id=1,-3'),
    );
  });
});
