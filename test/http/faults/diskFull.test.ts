import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';

test('While no page can be added to SQLite, as on a full disk, nothing is half written, and then all is as before', async () => {
  const { knex } = await freshDatabase('sqlite');
  const panel = await startPanel({ db: knex });
  const token = await panel.token();
  const [{ page_count: pages }] = await knex.raw('PRAGMA page_count');
  await knex.raw(`PRAGMA max_page_count = ${pages}`);
  const create = () =>
    panel.api.tokens.create({ name: 'test', note: 'n'.repeat(400), scopes: ['*'] }, AUTHOR);
  let created = 1;
  const failure = await (async () => {
    for (;;) {
      try {
        await create();
        created += 1;
      } catch (error) {
        return error;
      }
    }
  })();
  expect(failure).toMatchObject({ code: 'SQLITE_FULL' });
  // It holds for the connection, which the failure does not cost.
  const [{ max_page_count: most }] = await knex.raw('PRAGMA max_page_count');
  expect(most).toBe(pages);
  expect(await panel.api.tokens.list()).toHaveLength(created);
  expect(await panel.api.audit.list()).toHaveLength(created);
  const { status } = await panel.get(ME, token);
  expect([200, 503]).toContain(status);
  await knex.raw('PRAGMA max_page_count = 1000000');
  await create();
  expect((await panel.get(ME, token)).status).toBe(200);
});
