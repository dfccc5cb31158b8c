import type { TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { DOMAINS, type LongPanel, ME, startLongPanel } from '../../fixture/streams/longPanel';
import { LONG } from '../../fixture/streams/longTable';

// The connections to the database that have an open transaction.
const FIND = {
  mariadb: `select p.id as id from information_schema.innodb_trx t
    join information_schema.processlist p on p.id = t.trx_mysql_thread_id where p.db = database()`,
  postgresql: `select pid as id from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
} as const;

async function killReaders({ engine, knex }: TestDatabase): Promise<number> {
  const result = await knex.raw(FIND[engine as keyof typeof FIND]);
  const rows: { id: number }[] = engine === 'mariadb' ? result[0] : result.rows;
  for (const { id } of rows)
    await knex.raw(engine === 'mariadb' ? `kill connection ${id}` : `select pg_terminate_backend(${id})`);
  return rows.length;
}

describe.each(['mariadb', 'postgresql'] as const)('A long list whose connection to %s is lost', (engine) => {
  let long: LongPanel;

  beforeEach(async () => {
    long = await startLongPanel(engine);
  });

  test('half-way breaks off for the client, and the log says why', async () => {
    const list = await long.open();
    const begun = await list.some();
    expect(await killReaders(long.database)).toBe(1);
    const { text, whole } = await list.rest();
    expect(whole).toBe(false);
    expect(() => JSON.parse(begun + text)).toThrow();
    const [{ level, fields } = { level: '', fields: {} }] = await long.panel.requestLines(1);
    expect([level, fields.status, fields.error_code, fields.aborted]).toEqual([
      'error',
      200,
      'unavailable',
      true,
    ]);
    expect(fields).toMatchObject({ cause: expect.any(String), cause_query: 'domains.rows' });
    expect(long.errors).toEqual([]);
  });

  test('half-way is served whole to the next client, over another connection', async () => {
    const list = await long.open();
    await list.some();
    await killReaders(long.database);
    await list.rest();
    await expectIdle(long.database);
    expect(await long.ask(ME)).toEqual([200, null]);
    const { text, whole } = await (await long.open(DOMAINS)).rest();
    expect([whole, JSON.parse(text).data.items.length]).toEqual([true, LONG]);
  });
});
