import load from '../../../demo/ispconfig/load';
import ispconfigSources from '../../../demo/ispconfig/sources';
import seed from '../../../demo/seed';
import { checkSources } from '../../fixture/command/checkSources';
import { freshDatabase } from '../../fixture/databases';

describe('A right mapping gets no warning, whether some or all of its rows are read', () => {
  test.each([false, true])('in the demo (all rows: %s)', async (all) => {
    const { knex } = await freshDatabase('sqlite');
    await seed(knex);
    const services = { table: 'services' };
    const names = 'accounts domains websites email databases ssl backups jobs cron'.split(' ');
    const sources = { ...Object.fromEntries(names.map((name) => [name, {}])), services };
    const found = await checkSources({ db: knex, sources }, { all });
    expect(
      found.flatMap(({ resource, warnings }) => warnings.map(({ sentence }) => [resource, sentence])),
    ).toEqual([]);
    expect(found.map(({ state }) => state)).toEqual([...names, 'services'].map(() => 'served').concat('off'));
  });

  test('in the mapping of ISPConfig', async () => {
    const { knex } = await freshDatabase('mariadb');
    await load(knex);
    const found = await checkSources({ db: knex, sources: ispconfigSources(knex) }, { all: true });
    expect(found.map(({ warnings }) => warnings)).toEqual(found.map(() => []));
    expect(found.filter(({ state, all_rows }) => state === 'served' && all_rows)).toHaveLength(11);
  });
});
