import { describeEachEngine, freshDatabase, openHandle } from '../../fixture/databases';
import { dumpTables } from '../../fixture/dumpTables';
import { handleSettings } from '../../fixture/handleSettings';
import { laterBy } from '../../fixture/laterBy';
import { AUTHOR, startPanel } from '../../fixture/panel';

const MINUTE_MS = 61_000;
const ME = '/api/v1/me.php';

describeEachEngine('A process that uses the database in the middle of a restore', (engine) => {
  test.each<[string, (db: ReturnType<typeof openHandle>) => Promise<unknown>]>([
    ['finds no audit trail', (db) => db.schema.renameTable('panel_api_audit_log', 'away')],
    ['finds an empty audit trail', (db) => db('panel_api_audit_log').delete()],
  ])('that %s when it looks, notices the restore when it is over', async (_what, interrupt) => {
    const database = await freshDatabase(engine);
    const panel = await startPanel({
      db: engine === 'sqlite' ? database.knex : openHandle(handleSettings(database)),
    });
    const create = () => panel.api.tokens.create({ name: 'x', scopes: ['*'], expiresAt: null }, AUTHOR);
    const { token } = await create();
    const restore = await dumpTables(database);
    await create();
    const ask = async () => {
      laterBy(MINUTE_MS);
      return (await panel.get(ME, token)).status;
    };
    expect(await ask()).toBe(200);
    await interrupt(database.knex);
    expect(await ask()).toBe(200);
    if (await database.knex.schema.hasTable('away'))
      await database.knex.schema.renameTable('away', 'panel_api_audit_log');
    await restore();
    expect(await ask()).toBe(200);
    expect(await database.knex('panel_api_settings').where({ name: 'lost_history' })).toHaveLength(1);
  });

  test('that gives the lost ids out again before it looks, notices the restore', async () => {
    const database = await freshDatabase(engine);
    const panel = await startPanel({ db: database.knex });
    const create = () => panel.api.tokens.create({ name: 'x', scopes: ['*'], expiresAt: null }, AUTHOR);
    const { token } = await create();
    const restore = await dumpTables(database);
    await create();
    laterBy(MINUTE_MS);
    expect((await panel.get(ME, token)).status).toBe(200);
    await restore();
    for (let count = 0; count < 3; count += 1) await create();
    // A second may have passed in between.
    await database.knex('panel_api_audit_log').where('id', 2).increment('at', 5);
    laterBy(MINUTE_MS);
    expect((await panel.get(ME, token)).status).toBe(200);
    expect(await database.knex('panel_api_settings').where({ name: 'lost_history' })).toHaveLength(1);
  });
});
