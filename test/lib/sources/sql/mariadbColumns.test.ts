import { BESIDE } from '../../../fixture/sources/descriptions';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

describe('A column that only MariaDB and MySQL have', () => {
  const panels = sourcePanels('mariadb');

  test('of bits is true, translated and filtered by its number', async () => {
    await panels.table('panel_rows', { bit: 'native bit(1)' });
    await panels.knex.raw("insert into panel_rows (bit) values (b'1'), (b'0'), (null)");
    const { items } = await panels.start({
      email: {
        table: 'panel_rows',
        fields: {
          ...BESIDE.email,
          keep_copy: { column: 'bit', true: 1 },
          status: { column: 'bit', values: { 1: 'active', 0: 'suspended' } },
        },
      },
    });
    expect((await items('email')).map(({ keep_copy, status }) => [keep_copy, status])).toEqual([
      [true, 'active'],
      [false, 'suspended'],
      [false, 'unknown'],
    ]);
    expect((await items('email', '?keep_copy=false')).map(({ id }) => id)).toEqual([2, 3]);
    expect((await items('email', '?status=suspended')).map(({ id }) => id)).toEqual([2]);
  });

  test('is served if it is declared invisible', async () => {
    await panels.table('panel_rows', { state: 'native varchar(9) invisible' });
    await panels.knex.raw("insert into panel_rows (state) values ('ok')");
    const { items } = await panels.start({
      email: { table: 'panel_rows', fields: { ...BESIDE.email, domain: 'state' } },
    });
    expect(await items('email')).toMatchObject([{ id: 1, domain: 'ok' }]);
  });

  test.each(['latin1_swedish_ci', 'utf8mb4_general_ci', 'utf8mb4_bin'])(
    'of the collation %s keeps apart words that it treats as equal',
    async (collation) => {
      const charset = collation.split('_')[0];
      await panels.table('panel_rows', {
        state: `native varchar(9) character set ${charset} collate ${collation}`,
      });
      await panels.knex('panel_rows').insert(['ok', 'OK', 'ök', 'ok '].map((state) => ({ state })));
      const { items } = await panels.start({
        email: {
          table: 'panel_rows',
          fields: { ...BESIDE.email, domain: 'state', status: { column: 'state', values: { ok: 'active' } } },
        },
      });
      expect((await items('email', '?status=active')).map(({ id }) => id)).toEqual([1]);
      expect((await items('email', '?status=unknown')).map(({ id }) => id)).toEqual([2, 3, 4]);
      expect((await items('email', '?domain=ok,日本')).map(({ id }) => id)).toEqual([1]);
    },
  );
});
