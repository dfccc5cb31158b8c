import load from '../../../demo/ispconfig/load';
import ispconfigSources from '../../../demo/ispconfig/sources';
import seed from '../../../demo/seed';
import { checkSources } from '../../fixture/command/checkSources';
import { freshDatabase } from '../../fixture/databases';
import { nodePanelSources } from '../../fixture/nodePanel/sources';
import { loadNodePanel } from '../../fixture/nodePanel/tables';

describe('A right mapping gets no warning, whether some or all of its rows are read', () => {
  test('in the demo', async () => {
    const { knex } = await freshDatabase('sqlite');
    await seed(knex);
    const names = 'accounts domains websites email databases ssl backups jobs cron services'.split(' ');
    const sources = Object.fromEntries(names.map((name) => [name, { table: name }]));
    for (const all of [false, true]) {
      const found = await checkSources({ db: knex, sources }, { all });
      const served = found.filter(({ state }) => state === 'served');
      expect(served.map(({ resource }) => resource).toSorted()).toEqual(names.toSorted());
      expect(served.flatMap(({ warnings }) => warnings)).toEqual([]);
    }
  });

  test('in the mapping of ISPConfig', async () => {
    const { knex } = await freshDatabase('mariadb');
    await load(knex);
    const found = await checkSources({ db: knex, sources: ispconfigSources(knex) }, { all: true });
    expect(found.map(({ warnings }) => warnings)).toEqual(found.map(() => []));
    expect(found.filter(({ state, all_rows }) => state === 'served' && all_rows)).toHaveLength(11);
  });

  test('in a Node panel with text keys', async () => {
    const { knex } = await freshDatabase('postgresql');
    await loadNodePanel(knex);
    for (const all of [false, true]) {
      const found = await checkSources({ db: knex, sources: nodePanelSources }, { all });
      expect(found.flatMap(({ warnings, missing }) => [...warnings, ...missing])).toEqual([]);
      const served = found.filter(({ state, rows }) => state === 'served' && Number(rows) > 25);
      expect(served.map(({ resource }) => resource)).toEqual(Object.keys(nodePanelSources));
    }
  });
});
