import { type Engine, openHandle } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { handleSettings } from '../../fixture/handleSettings';
import { type LongPanel, ME, startLongPanel } from '../../fixture/streams/longPanel';
import { idsFrom, LONG, rowOf } from '../../fixture/streams/longTable';

describe.each<[Engine, number]>([
  ['mariadb', 1],
  ['mariadb', 2],
  ['postgresql', 1],
  ['postgresql', 3],
  ['sqlite', 1],
  // Its journal is not WAL, so an open read would block all writers.
  ['sqlite', 4],
])('A panel on %s with a pool of %i', (engine, max) => {
  let long: LongPanel;

  beforeAll(async () => {
    long = await startLongPanel(engine, {
      handle: (database) => openHandle({ ...handleSettings(database), pool: { min: 0, max } }),
    });
  });

  test('lists every row that existed throughout exactly once', async () => {
    const { knex } = long.database;
    await knex('domains').where({ id: 5 }).del();
    const list = await long.open();
    const begun = await list.some();
    await knex('domains').insert([rowOf(5), rowOf(LONG + 100)]);
    await knex('domains').whereIn('id', [2, LONG]).del();
    await knex('domains').where({ id: 3 }).update({ domain: 'changed.example' });
    const { text, whole } = await list.rest();
    expect(whole).toBe(true);
    const ids: number[] = JSON.parse(begun + text).data.items.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    const found = new Set(ids);
    expect(idsFrom(1, LONG).filter((id) => ![2, 5, LONG].includes(id) && !found.has(id))).toEqual([]);
  });

  test('answers all other requests while clients of long lists read nothing', async () => {
    const lists = await Promise.all([long.open(), long.open(), long.open()]);
    for (let request = 0; request < 3; request += 1) expect(await long.ask(ME)).toEqual([200, null]);
    for (const { leave } of lists) leave();
    await expectIdle(long.database);
  });
});
