import { type Engine, openHandle } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { handleSettings } from '../../fixture/handleSettings';
import { laterBy } from '../../fixture/laterBy';
import { DOMAINS, type LongPanel, ME, startLongPanel } from '../../fixture/streams/longPanel';
import { LONG } from '../../fixture/streams/longTable';

// With these engines and pools, no transaction locks the table or keeps a snapshot.
describe.each<[Engine, number]>([
  ['mariadb', 2],
  ['postgresql', 2],
  ['sqlite', 1],
])('A long list on %s with a pool of %i', (engine, max) => {
  let long: LongPanel;

  beforeAll(async () => {
    long = await startLongPanel(engine, {
      handle: (database) => openHandle({ ...handleSettings(database), pool: { min: 0, max } }),
    });
  });

  test('whose table is renamed half-way breaks off alone, and comes back with it', async () => {
    const { schema } = long.database.knex;
    const list = await long.open();
    await list.some();
    await long.database.knex.schema.renameTable('domains', 'elsewhere');
    expect((await list.rest()).whole).toBe(false);
    const [line] = await long.panel.requestLines(1);
    expect(line?.fields).toMatchObject({ status: 200, error_code: 'resource_unavailable', aborted: true });
    expect(await long.ask(ME)).toEqual([200, null]);
    expect(await long.ask(DOMAINS)).toEqual([501, 'resource_unavailable']);
    await schema.renameTable('elsewhere', 'domains');
    laterBy(5000);
    const { text, whole } = await (await long.open()).rest();
    expect([whole, JSON.parse(text).data.items.length]).toEqual([true, LONG]);
    await expectIdle(long.database);
    expect(long.errors).toEqual([]);
  });
});
