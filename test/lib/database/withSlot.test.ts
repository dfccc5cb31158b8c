import { Database } from '../../../lib/database/Database';
import { describeEachEngine, describeOneEngine, freshDatabase, openHandle } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';

describeEachEngine('A statement that was given up', (engine) => {
  test("keeps its slot until the panel's pool has dropped it", async () => {
    const fresh = await freshDatabase(engine);
    const knex = openHandle({ ...handleSettings(fresh), pool: { min: 0, max: 4 } });
    const taken = await Promise.all([1, 2, 3, 4].map(() => knex.client.acquireConnection()));
    const database = Database.of(knex, 50);
    const read = () =>
      database.withSlot('slot', (inSlot) => inSlot.query('read', (handle) => handle.raw('SELECT 1')));
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.allSettled([read(), read()]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
    expect(knex.client.pool.numPendingAcquires()).toBe(2);
    for (const connection of taken) await knex.client.releaseConnection(connection);
    await Database.of(knex, 5000).withSlot('slot', (inSlot) =>
      inSlot.query('read', (handle) => handle.raw('SELECT 1')),
    );
  });
});

describeOneEngine('A statement that comes after its task has ended', (engine) => {
  test('fails, because it has no slot any more', async () => {
    const { knex } = await freshDatabase(engine);
    const ended = await Database.of(knex, 50).withSlot('slot', async (inSlot) => inSlot);
    const late = ended.query('late', (handle) => handle.raw('SELECT 1'));
    await expect(late).rejects.toMatchObject({ name: 'DatabaseFailure', query: 'late' });
  });
});
