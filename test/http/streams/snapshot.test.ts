import type { Knex } from 'knex';
import { engines, openHandle } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { handleSettings } from '../../fixture/handleSettings';
import { type LongPanel, startLongPanel } from '../../fixture/streams/longPanel';
import { createLongTable, idsFrom, LONG, nameOf, rowOf } from '../../fixture/streams/longTable';
import type { OpenList } from '../../fixture/streams/openList';

interface Item {
  readonly id: number;
  readonly domain: string;
}

const seeded = idsFrom(1, LONG).filter((id) => id !== 5);

/** Changes by the panel during the read: rows are added, changed and deleted before and after those that were read. */
async function change(knex: Knex, table: string): Promise<void> {
  await knex(table).insert([rowOf(5), rowOf(LONG + 100)]);
  await knex(table)
    .whereIn('id', [1, LONG / 2, LONG])
    .update({ domain: 'changed.example' });
  await knex(table)
    .whereIn('id', [2, LONG / 2 + 1, LONG - 1])
    .del();
}

const itemsOf = ({ text, whole }: Awaited<ReturnType<OpenList['rest']>>): readonly Item[] => {
  expect(whole).toBe(true);
  return JSON.parse(text).data.items;
};

describe.each(engines)('A long list that is read slowly (%s)', (engine) => {
  // On SQLite the module keeps a connection only if others can write meanwhile.
  const wal: Parameters<typeof startLongPanel>[1] =
    engine === 'sqlite'
      ? {
          before: (knex) => knex.raw('PRAGMA journal_mode = WAL'),
          handle: (database) => openHandle({ ...handleSettings(database), pool: { min: 0, max: 4 } }),
        }
      : {};
  let long: LongPanel;

  test('is as it was when its reading began', async () => {
    long = await startLongPanel(engine, wal);
    const { database } = long;
    await database.knex('domains').where({ id: 5 }).del();
    const list = await long.open();
    const begun = await list.some();
    await change(database.knex, 'domains');
    const { text, whole } = await list.rest();
    const items = itemsOf({ text: begun + text, whole });
    expect(items.map(({ id }) => id)).toEqual(seeded);
    expect(items.filter(({ id, domain }) => domain !== nameOf(id))).toEqual([]);
    await expectIdle(database);
  });

  test('of several parts is one snapshot', async () => {
    const fields = { parent_id: { column: 'parent_id', part: 0 } };
    const parts = [
      { table: 'domains', fields },
      { table: 'others', fields },
    ];
    long = await startLongPanel(engine, {
      ...wal,
      options: { sources: { domains: parts } },
      before: async (knex) => {
        await wal.before?.(knex);
        await createLongTable(knex, LONG, 'others');
      },
    });
    const { database } = long;
    await database.knex('others').where({ id: 5 }).del();
    await database.knex('domains').where({ id: 5 }).del();
    const list = await long.open();
    const begun = await list.some();
    await change(database.knex, 'domains');
    await change(database.knex, 'others');
    const { text, whole } = await list.rest();
    const items = itemsOf({ text: begun + text, whole });
    expect(items.map(({ domain }) => domain)).toEqual([...seeded, ...seeded].map(nameOf));
    expect(new Set(items.map(({ id }) => id)).size).toBe(2 * seeded.length);
    await expectIdle(database);
  });
});
