import { handlesOf } from '../../../lib/database/handles';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { OutsideCalls } from '../../fixture/faults/OutsideCalls';
import { AUTHOR, startPanel } from '../../fixture/panel';

// SQL that takes more than a second between the first and the last column of a statement.
const PAUSES = {
  mariadb: 'SLEEP(1.1)',
  postgresql: 'PG_SLEEP(1.1)',
  sqlite: 'PAUSE()',
} as const;

describeEachEngine("The database's clock", (engine) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    if (engine !== 'sqlite') return;
    const connection = await database.knex.client.acquireConnection();
    connection.function('pause', { deterministic: false }, () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
      return 0;
    });
    await database.knex.client.releaseConnection(connection);
  });

  // Otherwise a statement could count in one window and report the end of the next.
  test('stands still within a statement', async () => {
    const { now, rows } = handlesOf(database.knex).dialect;
    const [row] = rows(
      await database.knex.raw(`SELECT ${now} AS first, ${PAUSES[engine]} AS pause, ${now} AS last`),
    );
    expect(Number(row?.first)).toBe(Number(row?.last));
  });

  test('returns whole seconds since 1970', async () => {
    const { now, rows } = handlesOf(database.knex).dialect;
    const [row] = rows(await database.knex.raw(`SELECT ${now} AS clock`));
    expect(Math.abs(Number(row?.clock) - Date.now() / 1000)).toBeLessThan(60);
    expect(Number.isInteger(Number(row?.clock))).toBe(true);
  });

  test('is a failure of the database, and not of the input, if the driver answers something else', async () => {
    const { knex } = await freshDatabase(engine);
    const calls = new OutsideCalls();
    calls.wrapHandle(engine, knex);
    const { api } = await startPanel({ db: knex });
    await api.tokens.list();
    // The first statement reads the settings.
    calls.arm({ outside: 'statement', way: 'answers something else', nth: 2, lasting: false });
    const creating = api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    await expect(creating).rejects.toThrow('The query clock failed (UNKNOWN_ANSWER).');
  });
});
