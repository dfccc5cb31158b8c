import { Database } from '../../../lib/database/Database';
import { freshDatabase, openHandle } from '../../fixture/databases';
import { startDatabaseProxy } from '../../fixture/faults/startProxy';
import { handleSettings } from '../../fixture/handleSettings';

const LIMIT_MS = 2000;
/** How much later than its limit a statement ends, in milliseconds. */
const LATE_MS = 700;

const CONNECTION_ID = {
  mariadb: 'select connection_id() as id',
  postgresql: 'select pg_backend_pid() as id',
};

describe.each(['mariadb', 'postgresql'] as const)('A statement that a busy %s ends late', (engine) => {
  test('keeps its connection and its slot until it has ended', async () => {
    const fresh = await freshDatabase(engine);
    let delayMs = 0;
    const url = await startDatabaseProxy(fresh.url, (client, upstream) => {
      client.pipe(upstream);
      upstream.on('data', (answer) => setTimeout(() => client.write(answer), delayMs));
    });
    const knex = openHandle({ ...handleSettings({ ...fresh, url }), pool: { min: 0, max: 2 } });
    const database = Database.of(knex, LIMIT_MS);
    const connection = async () => (await database.rows('id', CONNECTION_ID[engine]))[0]?.id;
    const before = await connection();
    delayMs = LIMIT_MS + LATE_MS;
    await expect(connection()).rejects.toThrow('DEADLINE');
    delayMs = 0;
    expect(await connection()).toBe(before);
  });
});
