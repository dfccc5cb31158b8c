import { Database } from '../../../lib/database/Database';
import { Migrations } from '../../../lib/database/migrations/Migrations';
import { tableNames } from '../../../lib/database/migrations/tables';
import { StoredSecret } from '../../../lib/settings/StoredSecret';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';

const TABLE = 'panel_api_settings';

describeEachEngine('A stored secret', (engine) => {
  let own: TestDatabase;
  let secret: (name?: string) => StoredSecret;

  beforeAll(async () => {
    own = await freshDatabase(engine);
    const database = Database.of(own.knex, 5000);
    const tables = tableNames('panel_api_');
    const migrations = new Migrations(database, tables, true);
    secret = (name = 'a_key') => new StoredSecret({ migrations }, name);
  });

  test('is the same 32 bytes for all processes that create it at once', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => secret().read()));
    expect(keys.map((key) => key.length)).toEqual([32, 32, 32, 32]);
    expect(new Set(keys.map(String)).size).toBe(1);
  });

  test('differs from that of another name', async () => {
    expect(await secret('another_key').read()).not.toEqual(await secret().read());
  });

  test.each(['', 'short', 'x'.repeat(60), '!'.repeat(43)])(
    'replaces the text "%s", which is no valid key',
    async (value) => {
      await secret().read();
      await own.knex(TABLE).update({ value });
      const key = await secret().read();
      expect([key.length, await secret().read()]).toEqual([32, key]);
    },
  );

  test('is read from the database again if the tables were created anew', async () => {
    const kept = secret();
    const first = await kept.read();
    await own.knex(TABLE).delete();
    expect(await kept.read()).toBe(first);
    const second = await kept.readAgain();
    expect([second.equals(first), await secret().read()]).toEqual([false, second]);
  });
});
