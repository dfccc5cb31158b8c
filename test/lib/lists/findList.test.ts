import { createInstallation } from '../../../lib/Installation';
import { servedOperations } from '../../../lib/lists/findList';
import { operations } from '../../../routes';
import { freshDatabase, openHandle } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { createPanelTables } from '../../fixture/panelTables';
import { recordingLogger } from '../../fixture/recordingLogger';

const OBJECTS = operations.filter(({ kind }) => kind === 'object').map(({ name }) => name);

describe('The endpoints that a panel serves', () => {
  const installation = async (tables: readonly string[], isClosed = false) => {
    const database = await freshDatabase('sqlite');
    await createPanelTables(database.knex, [...tables]);
    const db = isClosed ? openHandle(handleSettings(database)) : database.knex;
    if (isClosed) await db.destroy();
    const { logger } = recordingLogger();
    return createInstallation({ db, logger, sources: { services: false, backups: false } }, operations);
  };

  test('are all objects, and the lists that have a source, in their order', async () => {
    const served = await servedOperations(await installation(['jobs', 'accounts']));
    const expected = operations.filter(({ name }) => [...OBJECTS, 'jobs', 'accounts'].includes(name));
    expect(served).toEqual(expected);
  });

  test('do not include a list whose report throws', async () => {
    const parts = await installation(['jobs', 'accounts']);
    const report = () => Promise.reject(new Error('The panel is wrong.'));
    const sources = new Map(parts.sources).set('jobs', { ...parts.sources.get('jobs')!, report });
    const served = await servedOperations({ operations, sources });
    expect(served.map(({ name }) => name).toSorted()).toEqual([...OBJECTS, 'accounts'].toSorted());
  });

  test('do not include a list that has no source at all', async () => {
    const { name } = operations.find(({ kind }) => kind === 'list')!;
    const served = await servedOperations({
      operations: operations.filter((operation) => operation.name === name),
      sources: new Map(),
    });
    expect(served).toEqual([]);
  });

  test('are unknown if the database cannot be reached', async () => {
    const parts = await installation(['jobs'], true);
    await expect(servedOperations(parts)).rejects.toMatchObject({ name: 'DatabaseFailure' });
  });
});
