import type { Knex } from 'knex';
import { Database } from '../../../lib/database/Database';
import { describeEachEngine, freshDatabase } from '../../fixture/databases';

const EVENTS = ['start', 'query', 'query-response', 'query-error'] as const;

/** What a handle tells its listeners while the task runs: each event, and what comes with it, with its id or without. */
async function toldBy(knex: Knex, task: () => PromiseLike<unknown>) {
  const told: (readonly string[])[] = [];
  const kind = (given: unknown) =>
    `${Object(given).constructor.name}${'__knexQueryUid' in Object(given) ? ' with an id' : ''}`;
  for (const event of EVENTS) knex.on(event, (...given: unknown[]) => told.push([event, ...given.map(kind)]));
  await task().then(undefined, () => undefined);
  return told;
}

describeEachEngine('A statement whose SQL is written', (engine) => {
  const rowsOf = async (sql: string, bindings: Knex.RawBinding[]) => {
    const { knex } = await freshDatabase(engine);
    return Database.of(knex, 5000).rows('written', sql, bindings);
  };

  test('returns its rows', async () => {
    const [row] = await rowsOf('SELECT ? + 1 AS sum', [41]);
    expect(Number(row?.sum)).toBe(42);
  });

  test('is written by knex if it names a column', async () => {
    const [row] = await rowsOf('SELECT ? + 1 AS ??', [6, 'a "name`']);
    expect(Number(row?.['a "name`'])).toBe(7);
  });

  test('fails if a value is missing', async () => {
    await expect(rowsOf('SELECT ? + 1 AS sum', [undefined as never])).rejects.toThrow('written');
  });

  test.each(['SELECT 1', 'SELECT no_such_column'])(
    "is told to the listeners of the panel's handle as knex tells its own: %s",
    async (sql) => {
      const [ours, own] = [await freshDatabase(engine), await freshDatabase(engine)];
      const told = await toldBy(ours.knex, () => Database.of(ours.knex, 5000).rows('written', sql));
      expect(told.map(([event]) => event)).toContain('query');
      expect(told).toEqual(await toldBy(own.knex, () => own.knex.raw(sql).options({})));
    },
  );
});
