import { describeOneEngine } from '../../fixture/databases';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

describeOneEngine('A list of several parts', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createPanelTables(knex, ['email']);
        const addresses = ['a', 'b', 'c', 'd', 'e'].map((local) => ({ address: `${local}@one.example` }));
        await knex('email').insert(
          addresses.map((row, index) => ({
            ...row,
            type: 'mailbox',
            status: index % 2 ? 'suspended' : null,
            updated_at: `2026-06-1${index} 00:00:00`,
          })),
        );
        await knex.schema.createTable('forwards', (table) => {
          table.string('id').primary();
          table.string('source');
        });
        await knex('forwards').insert(['x', 'ü', 'Y'].map((id) => ({ id, source: `${id}@two.example` })));
      },
      {
        email: [
          {},
          {
            table: 'forwards',
            fields: { address: 'source', type: { value: 'forwarder' }, status: { value: 'active' } },
          },
          {
            fields: ['id', 'address', 'type', 'status', 'domain'],
            rows: () =>
              [3, 1, 2].map((id) => ({
                id: String(id),
                address: `${id}@one.example`,
                type: 'list',
                status: 'suspended',
                domain: null,
              })),
          },
        ],
      },
    );
  });

  test.each([1, 2, 3, 5, 8, 11, 1000])('has pages of %i that make the whole list', async (limit) => {
    const whole = await list.items('email.php');
    expect(whole).toHaveLength(11);
    const pages = await list.pages(`email.php?limit=${limit}`);
    expect(pages.flat()).toEqual(whole);
    expect(pages).toHaveLength(Math.ceil(11 / limit));
  });

  test.each<[Record<string, string>, readonly string[]]>([
    [
      { type: 'mailbox' },
      ['a@one.example', 'b@one.example', 'c@one.example', 'd@one.example', 'e@one.example'],
    ],
    [{ type: 'list' }, ['1@one.example', '2@one.example', '3@one.example']],
    [{ type: 'list,forwarder', address: 'x@two.example,2@one.example' }, ['x@two.example', '2@one.example']],
    [
      { status: 'suspended' },
      ['b@one.example', 'd@one.example', '1@one.example', '2@one.example', '3@one.example'],
    ],
    [{ status: 'unknown' }, ['a@one.example', 'c@one.example', 'e@one.example']],
    [{ domain: 'two.example', type: 'list' }, []],
    // The function's rows have no domain.
    [{ domain: 'null' }, []],
    [{ domain: 'undefined' }, []],
    [{ id: '10,30,1:ü,2:2,4' }, ['a@one.example', 'c@one.example', 'ü@two.example', '2@one.example']],
    [{ id: '11,x,0:1' }, []],
    [{ updated_since: '2026-06-13' }, ['d@one.example', 'e@one.example']],
    [{ updated_since: '2026-06-11', updated_at_before: '2026-06-13' }, ['b@one.example', 'c@one.example']],
  ])('returns for %j the rows of all parts that match', async (parameters, addresses) => {
    const found = (await list.items(pathOf('email', parameters))).map(({ address }) => address);
    expect(found).toEqual(addresses);
    const pages = await list.pages(pathOf('email', { ...parameters, limit: '2' }));
    expect(pages.flat().map(({ address }) => address)).toEqual(addresses);
  });

  test('filters every part by the domain of its addresses', async () => {
    const whole = await list.items('email.php');
    for (const domain of ['one.example', 'two.example', 'three.example']) {
      const expected = whole.filter((item) => item.domain === domain).map(({ id }) => id);
      expect([domain, await list.keys(`email.php?domain=${domain}`)]).toEqual([domain, expected]);
    }
  });
});
