import { Database } from '../../../lib/database/Database';
import { Migrations } from '../../../lib/database/migrations/Migrations';
import { tableNames } from '../../../lib/database/migrations/tables';
import { DatabaseLimiter } from '../../../lib/limiter/DatabaseLimiter';
import { freshDatabase } from '../../fixture/databases';

// The statement contains these values without bindings.
test.each([
  ['a token', '1) --' as unknown as number, 60],
  ['a window', 1, 0.5],
])('%s that is no integer is never sent to a database', async (_what, id, windowSeconds) => {
  const { knex } = await freshDatabase('sqlite');
  const database = new Database(knex, 1000);
  const tables = tableNames('panel_api_');
  const migrations = new Migrations(database, tables, true);
  await migrations.ready();
  const sent: string[] = [];
  knex.on('query', ({ sql }) => sent.push(sql));
  const limiter = new DatabaseLimiter({ database, migrations, table: tables.rateLimits });
  await expect(limiter.count({ id, readAt: 0 }, windowSeconds)).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});
