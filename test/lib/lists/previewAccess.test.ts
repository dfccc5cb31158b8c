import type { Knex } from 'knex';
import type { PanelApiOptions } from '../../../index';
import type { Run } from '../../../lib/database/Statement';
import { createInstallation } from '../../../lib/Installation';
import { type AccessPreview, previewAccess as previewWithin } from '../../../lib/lists/previewAccess';
import { bindingTo } from '../../../lib/tokens/TokenRecord';
import { operations } from '../../../routes';
import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { handleSettings } from '../../fixture/handleSettings';
import { LIST_NAMES } from '../../fixture/listNames';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';
import { recordingLogger } from '../../fixture/recordingLogger';

const SHORT_DEADLINE_MS = 400;
const ALL = bindingTo([]);
const EVERYTHING = { scopes: ['*'], ...ALL };

type Parts = Parameters<typeof previewWithin>;
const previewAccess = (parts: Parts[0], token: Parts[1], deadlineMs = 30_000, rows = 0) =>
  previewWithin(parts, token, deadlineMs, rows);

interface Circumstances {
  readonly db?: Knex;
  readonly accounts?: NonNullable<PanelApiOptions['sources']>['accounts'];
}

/** The endpoints of each state, with their numbers of rows. */
function byState(previews: readonly AccessPreview[]) {
  const states: Record<string, Record<string, number | null>> = {};
  for (const { operation, state, items } of previews)
    states[state] = { ...states[state], [operation.name]: items };
  return states;
}

const nothing = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

const OBJECTS = nothing(...operations.filter(({ kind }) => kind === 'object').map(({ name }) => name));
const LISTS = nothing(...LIST_NAMES);
/** The number of rows that `createFilledTables` inserts into most lists. */
const ONE_ROW = Object.fromEntries(LIST_NAMES.map((name) => [name, 1]));

const without = <T>(lists: Readonly<Record<string, T>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(lists).filter(([name]) => !names.includes(name)));

describe('What a token could read', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    const { knex } = database;
    await createFilledTables(knex);
    await knex('jobs').insert([1, 1, 8].map((account_id) => ({ type: 'x', status: 'queued', account_id })));
    await knex.schema.dropTable('ssl');
    await knex.schema.alterTable('cron', (table) => table.dropColumn('account_id'));
  });

  const installation = (
    rows: () => Promise<readonly object[]>,
    { db = database.knex, ...sources }: Circumstances = {},
  ) =>
    createInstallation(
      {
        db,
        logger: recordingLogger().logger,
        sources: {
          settings: { keys: SHOWN_SETTINGS },
          backups: false,
          services: { fields: ['id', 'name', 'status'], rows: rows as never },
          ...sources,
        },
      },
      operations,
    );

  const SERVICES = async () => ['a', 'b'].map((id) => ({ id, name: id, status: 'running' }));

  test('is counted for each list, and a list that this panel does not have is missing', async () => {
    expect(byState(await previewAccess(installation(SERVICES), EVERYTHING))).toEqual({
      object: OBJECTS,
      counted: { ...without(ONE_ROW, 'ssl', 'backups'), jobs: 4, services: 2, settings: 3 },
      missing: nothing('ssl', 'backups'),
    });
    await expectIdle(database);
  });

  test('has no rows unless some are asked for', async () => {
    const previews = await previewAccess(installation(SERVICES), { scopes: ['jobs.read'], ...ALL });
    expect(previews.map(({ items, first }) => [items, first])).toEqual([[4, []]]);
  });

  test('is counted for an account that is suspended, too', async () => {
    const { knex } = database;
    await knex('accounts').where({ id: 1 }).update({ status: 'suspended' });
    const anna = bindingTo([{ id: '1', createdAt: null, username: 'anna' }]);
    const previews = await previewAccess(installation(SERVICES), { ...anna, scopes: ['jobs.read'] });
    await knex('accounts').where({ id: 1 }).update({ status: 'active' });
    expect(byState(previews)).toEqual({ counted: { jobs: 2 } });
  });

  test('is what belongs to its account, and nothing of the whole server', async () => {
    const account = { ...EVERYTHING, accounts: [{ id: '1', createdAt: null, username: 'anna' }] };
    const ofServer = ['cron', 'services', 'settings'];
    expect(byState(await previewAccess(installation(SERVICES), account))).toEqual({
      object: nothing('me', 'openapi'),
      counted: { ...without(ONE_ROW, 'ssl', 'backups', ...ofServer), databases: 0, jobs: 2 },
      forbidden: nothing(...ofServer, 'health', 'server-health', 'release-audit'),
      missing: nothing('ssl', 'backups'),
    });
  });

  test('is returned with as many first rows of each list as are asked for', async () => {
    const anna = bindingTo([{ id: '1', createdAt: null, username: 'anna' }]);
    const previews = await previewAccess(
      installation(SERVICES),
      { ...anna, scopes: ['jobs.read'] },
      30_000,
      3,
    );
    expect(previews.map(({ first }) => first.map(({ id, account_id }) => [id, account_id]))).toEqual([
      [
        [2, 1],
        [3, 1],
      ],
    ]);
    const [every] = await previewAccess(installation(SERVICES), { scopes: ['jobs.read'], ...ALL }, 30_000, 3);
    expect(every?.first).toHaveLength(3);
  });

  test('is only what its scopes grant, in the order of the endpoints', async () => {
    const scopes = ['services.read', 'profile.read', 'jobs.read'];
    const previews = await previewAccess(installation(SERVICES), { scopes, ...ALL });
    expect(previews.map(({ operation }) => operation.name)).toEqual(['me', 'jobs', 'services']);
  });

  test('is unknown for a list whose function throws, and counted for the others', async () => {
    const throwing = installation(() => Promise.reject(new Error('The panel is wrong.')));
    const { failed, counted } = byState(await previewAccess(throwing, EVERYTHING));
    expect([failed, counted?.jobs, counted?.settings]).toEqual([nothing('services'), 4, 3]);
    await expectIdle(database);
  });

  test('is unknown for the lists that are left at the deadline', async () => {
    const late = () => new Promise<never[]>((resolve) => setTimeout(resolve, 2 * SHORT_DEADLINE_MS, []));
    const slow = installation(SERVICES, {
      accounts: { fields: ['id', 'username', 'status'], rows: late },
    });
    const previews = await previewAccess(slow, EVERYTHING, SHORT_DEADLINE_MS);
    expect(byState(previews)).toEqual({ object: OBJECTS, failed: LISTS });
    await expectIdle(database);
  });

  test('is unknown for every list if no connection is free', async () => {
    const checks = {
      ...installation(SERVICES).checks,
      openSnapshot: () => Promise.reject(new Error()),
    };
    const parts = { ...installation(SERVICES), checks: checks as never };
    expect(byState(await previewAccess(parts, EVERYTHING))).toEqual({ object: OBJECTS, failed: LISTS });
  });

  test('is counted by the database over one connection, which is given back', async () => {
    const { checks, ...others } = installation(SERVICES);
    const statements: string[] = [];
    let closed = 0;
    const openSnapshot = async (name: string) => {
      statements.push(name);
      const reading = await checks.openSnapshot(name);
      const run: Run = (statement, ...rest) => {
        statements.push(statement);
        return reading.run(statement, ...rest);
      };
      const close = async () => {
        closed += 1;
        await reading.close();
      };
      return { run, close };
    };
    await previewAccess({ ...others, checks: { openSnapshot } as never }, EVERYTHING);
    expect([statements[0], closed]).toEqual(['preview.begin', 1]);
    expect(statements).toContain('jobs.groups');
    // An allow-list is applied to each row.
    expect(statements.filter((name) => name.endsWith('.rows'))).toEqual(['settings.rows']);
  });

  test('is unknown for every list of the database if it cannot be reached', async () => {
    const closed = openHandle(handleSettings(database));
    await closed.destroy();
    expect(byState(await previewAccess(installation(SERVICES, { db: closed }), EVERYTHING))).toEqual({
      object: OBJECTS,
      counted: { services: 2 },
      missing: nothing('backups'),
      failed: without(LISTS, 'services', 'backups'),
    });
  });
});
