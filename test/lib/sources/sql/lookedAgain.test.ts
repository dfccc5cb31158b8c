import type { Knex } from 'knex';
import type { PanelApiOptions } from '../../../../index';
import { describeEachEngine } from '../../../fixture/databases';
import { laterBy } from '../../../fixture/laterBy';
import { type ListPanel, startListPanel } from '../../../fixture/listPanel';
import { createPanelTables } from '../../../fixture/panelTables';
import { until } from '../../../fixture/until';

describeEachEngine('Columns of a panel that runs', (engine) => {
  let list: ListPanel;

  const start = async (setUp: (knex: Knex) => Promise<unknown>, sources?: PanelApiOptions['sources']) => {
    list = await startListPanel(engine, setUp, sources);
  };
  const alter = (change: (table: Knex.AlterTableBuilder) => unknown) =>
    list.database.knex.schema.alterTable('jobs', (altered) => void change(altered));
  const jobs = async (knex: Knex) => {
    await knex.schema.createTable('jobs', (table) => {
      table.increments('id');
      for (const column of ['type', 'status']) table.string(column);
    });
    await knex('jobs').insert([
      { type: 'deploy', status: 'queued' },
      { type: 'Deploy', status: 'queued' },
    ]);
  };
  /** Counts the statements that ask for columns from now on. */
  const countLooks = () => {
    const looks: string[] = [];
    list.database.knex.on('query', ({ sql }: { sql: string }) => {
      if (/select \*/i.test(sql)) looks.push(sql);
    });
    return looks;
  };

  test('are served a minute after they were added, to each token that may read them', async () => {
    await start(jobs);
    const bound = await list.bound(1);
    expect((await list.get('jobs.php', bound)).body.error.code).toBe('account_forbidden');
    await alter((table) => table.integer('account_id'));
    list.panel.tablesChanged();
    await list.database.knex('jobs').where({ id: 2 }).update({ account_id: 1 });
    laterBy(60_000);
    await until(async () => (await list.get('jobs.php', bound)).status === 200);
    expect(await list.keys('jobs.php', bound)).toEqual([2]);
    expect((await list.items('jobs.php'))[0]).toHaveProperty('account_id', null);
  });

  test('are looked at once a minute, for any number of requests', async () => {
    await start(jobs);
    await list.items('jobs.php');
    const looks = countLooks();
    for (let request = 0; request < 10; request += 1) await list.items('jobs.php');
    expect(looks).toEqual([]);
    laterBy(60_000);
    await Promise.all(Array.from({ length: 10 }, (_, index) => list.items(`jobs.php?limit=${index + 1}`)));
    await until(() => looks.length > 0);
    for (let request = 0; request < 10; request += 1) await list.items('jobs.php');
    expect(looks).toHaveLength(1);
  });

  test('are compared by their new types a minute after these changed', async () => {
    await start(async (knex) => {
      await createPanelTables(knex, ['jobs']);
      await knex.schema.alterTable('jobs', (table) => table.string('target_id').alter());
      await knex('jobs').insert(
        ['7', '07', '70'].map((target_id) => ({ type: 'a', status: 'b', target_id })),
      );
    });
    expect(await list.keys('jobs.php?target_id=7')).toEqual([1]);
    if (engine === 'postgresql')
      await list.database.knex.raw('alter table jobs alter target_id type integer using target_id::integer');
    else await alter((table) => table.integer('target_id').alter());
    laterBy(60_000);
    const token = await list.panel.token();
    // Until the look is over, the answer has the former types.
    await until(async () => {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${list.panel.url}/api/v1/jobs.php?target_id=7`, { headers });
      return (await answer.text()).includes('"target_id":7,');
    });
    list.panel.tablesChanged();
    expect(await list.keys('jobs.php?target_id=7')).toEqual([1, 2]);
  });

  test('of a table that is renamed and created again are looked at at once', async () => {
    await start(jobs);
    await list.items('jobs.php');
    await list.database.knex.schema.renameTable('jobs', 'former_jobs');
    await list.database.knex.schema.createTable('jobs', (table) => {
      table.string('id');
      for (const column of ['type', 'state']) table.string(column);
    });
    expect((await list.get('jobs.php')).status).toBe(501);
  });

  test('of a missing table are looked at again after five seconds, once for all requests', async () => {
    await start(async () => undefined);
    expect((await list.get('jobs.php')).status).toBe(501);
    const looks = countLooks();
    await jobs(list.database.knex);
    list.panel.tablesChanged();
    expect((await list.get('jobs.php')).status).toBe(501);
    expect(looks).toEqual([]);
    laterBy(5000);
    expect((await list.get('jobs.php')).status).toBe(200);
  });
});
