import { createInstallation } from '../../../../lib/Installation';
import { operations } from '../../../../routes';
import { panelApi } from '../../../fixture/command/panelApi';
import { describeEachEngine, freshDatabase, shareOf, type TestDatabase } from '../../../fixture/databases';
import { HISTORY } from '../../../fixture/migrations/history';
import { OWN_TABLES } from '../../../fixture/migrations/ownTables';
import { schemaOf } from '../../../fixture/migrations/schemaOf';
import { OWN_SWITCH } from '../../../fixture/ownSwitch';
import { startPanel } from '../../../fixture/panel';
import { recordingLogger } from '../../../fixture/recordingLogger';

describeEachEngine("A table of the panel's with the name of one of the module's", (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  const migrationsOf = () =>
    createInstallation({ db: database.knex, logger: recordingLogger().logger }, operations).migrations;

  /** Creates a table whose row would be a setting of the module's. */
  const createForeign = async (name: string) => {
    await database.knex.schema.createTable(name, (table) => {
      table.string('name');
      table.text('value');
    });
    await database.knex(name).insert({ name: 'enabled', value: 'true' });
  };

  test.each(OWN_TABLES)('(%s) is neither used nor changed, and the log names it', async (name) => {
    const table = `panel_api_${name}`;
    await createForeign(table);
    const schema = await schemaOf(database);
    const panel = await startPanel({ db: database.knex, ...OWN_SWITCH });
    try {
      const { status, body } = await panel.get('/api/v1/me.php', `pnl_${'0'.repeat(46)}`);
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      const [line] = await panel.requestLines(1);
      expect(line?.fields).toMatchObject({ cause: 'FOREIGN_TABLE', cause_table: table });
      await expect(panel.token()).rejects.toThrow(table);
      await migrationsOf()
        .down()
        .catch(() => undefined);
      expect(await schemaOf(database)).toEqual(schema);
      expect(await database.knex(table).pluck('value')).toEqual(['true']);
    } finally {
      await panel.close();
    }
  });

  test('is not used with migrate: false either', async () => {
    await createForeign('panel_api_settings');
    const panel = await startPanel({ db: database.knex, migrate: false, ...OWN_SWITCH });
    try {
      expect((await panel.get('/api/v1/me.php')).body.error.code).toBe('unavailable');
      const [line] = await panel.requestLines(1);
      expect(line?.fields).toMatchObject({ cause_table: 'panel_api_settings' });
    } finally {
      await panel.close();
    }
  });

  test('is used if it has the same columns of the same types, as after a migration that was killed', async () => {
    await migrationsOf().up();
    const schema = await schemaOf(database);
    for (const missing of [[...HISTORY], ...HISTORY.map((name) => [name])]) {
      await database.knex('panel_api_migrations').whereIn('name', missing).delete();
      expect(await migrationsOf().up()).toEqual(missing);
    }
    expect(await schemaOf(database)).toEqual(schema);
  });

  test('is not used if it has further columns', async () => {
    await migrationsOf().up();
    await database.knex.schema.alterTable('panel_api_settings', (table) => table.string('scope'));
    await database.knex('panel_api_migrations').delete();
    await expect(migrationsOf().up()).rejects.toThrow('panel_api_settings');
  });

  test('is not used if a column has another name', async () => {
    await migrationsOf().up();
    await database.knex.schema.alterTable('panel_api_usage', (table) =>
      table.renameColumn('requests', 'hits'),
    );
    await database.knex('panel_api_migrations').where({ name: HISTORY[0] }).delete();
    await expect(migrationsOf().up()).rejects.toThrow('panel_api_usage');
  });

  test.each(shareOf(engine, ['migrate', 'status', 'check', 'enable']))(
    'is named by panel-api %s',
    async (command) => {
      await createForeign('panel_api_settings');
      const { code, stderr } = await panelApi(database.url, [command]);
      expect([code, stderr]).toEqual([4, expect.stringContaining('The table panel_api_settings exists')]);
    },
  );
});
