import { Database } from '../../../lib/database/Database';
import { HitCounter } from '../../../lib/limiter/DatabaseLimiter';
import { freshDatabase } from '../../fixture/databases';

// They stand in the statement as they are.
test.each([
  ['a token', new Map([['1) --' as unknown as number, 1]]), 60],
  ['a number of hits', new Map([[1, '1' as unknown as number]]), 60],
  ['a window', new Map([[1, 1]]), 0.5],
])('%s that is no integer is never sent to a database', async (_what, added, windowSeconds) => {
  const database = await freshDatabase('sqlite');
  const sent: string[] = [];
  database.knex.on('query', ({ sql }) => sent.push(sql));
  const counter = new HitCounter(new Database(database.knex, 1000), 'panel_api_rate_limits');
  await expect(counter.add(added, windowSeconds, { seconds: 1, repeats: true })).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});
