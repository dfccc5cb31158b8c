import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { createInstallation } from '../../../lib/Installation';
import { previewAccess } from '../../../lib/lists/previewAccess';
import { bindingTo } from '../../../lib/tokens/TokenRecord';
import { operations } from '../../../routes';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { recordingLogger } from '../../fixture/recordingLogger';
import { sourcePanels } from '../../fixture/sources/sourcePanels';
import '../../fixture/tryAgain';
import { until } from '../../fixture/until';

const JOB = { type: { value: 'deploy' }, status: { value: 'queued' } } as const;

describeEachEngine('A list', (engine) => {
  const panels = sourcePanels(engine);

  test('shows a token of one account no row of others when the column of the owner is removed', async () => {
    await panels.table('jobs', { type: 'string', status: 'string', account_id: 'string' }, [
      { type: 'a', status: 'queued', account_id: 'anna' },
    ]);
    const { panel, get } = await panels.start({});
    const token = await panel.token({ accountId: 'undefined' });
    expect((await get('jobs.php', token)).body.data.items).toEqual([]);
    await panels.knex.schema.alterTable('jobs', (table) => table.dropColumn('account_id'));
    panel.tablesChanged();
    expect((await get('jobs.php', token)).status).toBe(501);
    expect((await get('jobs.php', token)).body.error.code).toBe('account_forbidden');
  });

  test('of parts is served at once without an optional column that was removed', async () => {
    for (const name of ['first', 'second']) {
      await panels.table(name, { type: 'string', status: 'string', actor: 'string' }, [
        { type: name, status: 'queued', actor: 'anna' },
      ]);
    }
    const { panel, items } = await panels.start({ jobs: [{ table: 'first' }, { table: 'second' }] });
    expect(await items('jobs')).toHaveLength(2);
    await panels.knex.schema.alterTable('first', (table) => table.dropColumn('actor'));
    panel.tablesChanged();
    expect((await items('jobs')).map(({ type, actor }) => [type, actor ?? null])).toEqual([
      ['first', null],
      ['second', 'anna'],
    ]);
  });

  /** Parts of jobs whose SQL names a column that no field is read from. */
  const hiding = async () => {
    for (const name of ['work', 'more_work']) {
      await panels.table(name, { hidden: 'integer' }, [{ hidden: 0 }]);
    }
    return ['work', 'more_work'].map((table) => ({
      query: (knex: Knex) => knex(table).where('hidden', 0),
      fields: { id: 'id', account_id: { value: 7 }, ...JOB },
    }));
  };
  const drop = (table: string) => panels.knex.schema.alterTable(table, (to) => to.dropColumn('hidden'));

  test.each([
    ['one', ['work']],
    ['both', ['work', 'more_work']],
  ])("of parts answers 501 at once after %s lost a column of the panel's own SQL", async (_, lost) => {
    const { panel, get, items } = await panels.start({ jobs: await hiding() });
    expect(await items('jobs')).toHaveLength(2);
    for (const table of lost) await drop(table);
    panel.tablesChanged();
    expect((await get('jobs.php')).body.error).toEqual({ code: 'resource_unavailable' });
  });

  test.each([
    ['all accounts', []],
    ['account 7', [{ id: '7', createdAt: null, username: null }]],
  ])('that cannot be counted (for %s) does not prevent the counts of others', async (_of, accounts) => {
    const [jobs] = await hiding();
    await panels.table('cron', { schedule: 'string', enabled: 'integer', account_id: 'integer' }, [
      { schedule: '@daily', enabled: 1, account_id: 7 },
    ]);
    const { logger } = recordingLogger();
    const installation = createInstallation(
      { db: panels.knex, logger, sources: { jobs: jobs! } },
      operations,
    );
    const counted = async () =>
      (
        await previewAccess(
          installation,
          { scopes: ['jobs.read', 'cron.read'], ...bindingTo(accounts) },
          30_000,
        )
      ).map(({ operation, state, items }) => [operation.name, state, items]);
    expect(await counted()).toEqual([
      ['jobs', 'counted', 1],
      ['cron', 'counted', 1],
    ]);
    await drop('work');
    const [, cron] = await counted();
    expect(cron).toEqual(['cron', 'counted', 1]);
  });

  test('whose key is of bytes cannot be read, and the release audit says why', async () => {
    await panels.knex.schema.dropTableIfExists('raw_jobs');
    await panels.knex.schema.createTable('raw_jobs', (table) => table.binary('ref'));
    const { get, inspected } = await panels.start({
      jobs: { table: 'raw_jobs', fields: { id: { column: 'ref', from: String }, ...JOB } },
    });
    expect((await get('jobs.php')).status).toBe(503);
    expect((await inspected('jobs')).detail).toContain('cannot be a key');
    await panels.knex.schema.dropTable('raw_jobs');
  });

  test('is read from a query with a named subquery, too', async () => {
    await panels.table('work', { state: 'string' }, [{ state: 'on' }, { state: 'off' }]);
    const { items } = await panels.start({
      jobs: {
        query: (knex: Knex) => knex.with('recent', knex('work').select('*')).from('recent'),
        fields: { id: 'recent.id', type: { value: 'deploy' }, status: 'recent.state' },
      },
    });
    expect((await items('jobs')).map(({ status }) => status)).toEqual(['on', 'off']);
  });

  test('whose query the database refuses is not in the OpenAPI document', async () => {
    await panels.table('work', { state: 'string' }, [{ state: 'on' }]);
    const { get, inspected } = await panels.start({
      jobs: {
        query: (knex: Knex) => knex('work').whereRaw('no_such_function(state) = 1'),
        fields: { id: 'id', type: { value: 'deploy' }, status: 'state' },
      },
    });
    // Every database says that it is no missing column.
    expect([(await get('jobs.php')).status, (await inspected('jobs')).status]).toEqual([503, 'fail']);
    const document = (await get('openapi.php')).body.data.document;
    expect(Object.keys(document.paths)).toContain('/api/v1/me.php');
    expect(Object.keys(document.paths)).not.toContain('/api/v1/jobs.php');
  });
});

describeOneEngine('A list of any database', (engine) => {
  const panels = sourcePanels(engine);

  test('derives the fields of each row from that row alone', async () => {
    await panels.table('cron', { schedule: 'string', enabled: 'integer', timezone: 'string' }, [
      { schedule: '*/5 * * * *', enabled: 1, timezone: 'null' },
      { schedule: '*/5 * * * *', enabled: 1, timezone: null },
    ]);
    const { items } = await panels.start({});
    const [broken, sound] = await items('cron');
    expect(broken.next_run_at).toBeNull();
    expect(sound.next_run_at).not.toBeNull();
  });

  test('warns of no word of a setting that may not be shown', async () => {
    await panels.knex.schema.dropTableIfExists('settings');
    await panels.table('settings', { key: 'string', value: 'string' }, [
      { key: 'panel.debug', value: 'y' },
      { key: 'smtp.password', value: 'hunter2' },
    ]);
    const { inspected } = await panels.start({
      settings: { keys: ['panel.debug'], fields: { value: { values: { y: 'on', n: 'off' } } } },
    });
    expect(await inspected('settings')).toMatchObject({ status: 'pass', detail: null });
  });

  test('counts the unmapped words of a text, and shows none', async () => {
    await panels.table('jobs', { type: 'string', status: 'string', actor: 'string' }, [
      { type: 'a', status: 'queued', actor: 'a private word' },
    ]);
    const { inspected } = await panels.start({ jobs: { fields: { actor: { values: { root: 'system' } } } } });
    const { detail } = await inspected('jobs');
    expect(detail).toContain('1 unmapped value in column actor (field actor): add it to `values`');
    expect(detail).not.toContain('private');
  });

  test('cannot be filtered by a constant of a field that no list is filtered by', async () => {
    await panels.table('jobs', { type: 'string', status: 'string' }, []);
    const { get } = await panels.start({ jobs: { fields: { attempts: { value: 3 } } } });
    expect((await get('jobs.php?attempts=3')).body.error).toMatchObject({ parameter: 'attempts' });
  });

  test('closes an iterable that a function returns after all clients have left', async () => {
    let closed = false;
    async function* rows() {
      try {
        yield { id: 1, type: 'a', status: 'queued' };
      } finally {
        closed = true;
      }
    }
    const late = async () => {
      await sleep(900);
      const given = rows();
      await given.next();
      return given;
    };
    const { get } = await panels.start(
      { jobs: { rows: late as never, fields: ['id', 'type', 'status'] } },
      { deadlineMs: 300 },
    );
    expect((await get('jobs.php')).status).toBe(503);
    await until(() => closed);
  });
});
