import { panelDatabase } from '../fixture/command/panelDatabase';
import { openHandle } from '../fixture/databases';
import { HeldTables } from '../fixture/faults/heldTables';
import { handleSettings } from '../fixture/handleSettings';
import { until } from '../fixture/until';

describe.each(['mariadb', 'postgresql'] as const)('While a table is locked (%s)', (engine) => {
  test('a command ends with 3, and so does its statement', async () => {
    const database = await panelDatabase(engine);
    const alone = () => openHandle({ ...handleSettings(database), pool: { min: 1, max: 1 } });
    const tables = new HeldTables(engine, alone(), alone());
    await database.migrate();
    await database.knex.destroy();
    await tables.hold(['panel_api_tokens']);
    const { code } = await database.run(['token', 'list']);
    expect(code).toBe(3);
    // The server ends it by its own clock, and the table stays locked.
    await until(async () => (await tables.others()).running === 0);
  });
});
