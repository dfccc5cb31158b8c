import { Database } from '../../../lib/database/Database';
import { freshDatabase, openHandle } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';

const LIMIT_MS = 100;
const ROUNDS = 40;

test("A statement that ends at its limit leaves no cancellation behind for the panel's next one (postgresql)", async () => {
  const db = openHandle({ ...handleSettings(await freshDatabase('postgresql')), pool: { min: 1, max: 1 } });
  const database = Database.of(db, LIMIT_MS);
  const panels: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const seconds = (LIMIT_MS - 10 + (round % 20)) / 1000;
    await database.query('slow', (knex) => knex.raw('select pg_sleep(?)', [seconds])).catch(() => undefined);
    // The pool has one connection, so this one follows over the same.
    await db.raw('select pg_sleep(0.03)').catch((error) => panels.push(error.code));
  }
  expect(panels).toEqual([]);
});
