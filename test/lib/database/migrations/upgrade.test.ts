import { Database } from '../../../../lib/database/Database';
import { createTables } from '../../../../lib/database/migrations/0001_create_tables';
import { addTokenAccount } from '../../../../lib/database/migrations/0002_add_token_account';
import { createTable, extendTable, tableNames } from '../../../../lib/database/migrations/tables';
import { createInstallation } from '../../../../lib/Installation';
import { newToken, shownPrefix, tokenHash } from '../../../../lib/tokens/tokenFormat';
import { operations } from '../../../../routes';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../../fixture/databases';
import { HISTORY } from '../../../fixture/migrations/history';
import { schemaOf } from '../../../fixture/migrations/schemaOf';
import { AUTHOR, startPanel } from '../../../fixture/panel';
import { startHost } from '../../../fixture/processes/hostProcess';
import { recordingLogger } from '../../../fixture/recordingLogger';

const ME = '/api/v1/me.php';

describeEachEngine('Tables that were created before a token could have an account', (engine) => {
  let database: TestDatabase;
  let schema: readonly object[];
  let token: string;

  const mount = (options: Partial<Parameters<typeof startPanel>[0]> = {}) =>
    startPanel({ db: database.knex, ...options });

  const migrations = () =>
    createInstallation({ db: database.knex, logger: recordingLogger().logger }, operations).migrations;

  const history = () => database.knex('panel_api_migrations').orderBy('name').pluck('name');

  beforeEach(async () => {
    database = await freshDatabase(engine);
    await migrations().up();
    schema = await schemaOf(database);
    await backToFirst(database);
    token = await insertToken(database);
  });

  test('are brought up to date at the first use, and their tokens stay valid without an account', async () => {
    const { api, get } = await mount();
    const { status, body } = await get(ME, token);
    expect([status, body.data.token.name, body.data.account_id]).toEqual([200, 'old', null]);
    expect(await api.tokens.get(1)).toMatchObject({ name: 'old', accountId: null, state: 'active' });
    expect(await api.tokens.revoke(1, AUTHOR)).toMatchObject({ accountId: null, state: 'revoked' });
    expect((await get(ME, token)).body.error.code).toBe('token_revoked');
  });

  test('take tokens with an account once they are up to date', async () => {
    const { get, token: create } = await mount();
    expect((await get(ME, await create({ accountId: 7 }))).body.data.account_id).toBe(7);
    expect((await get(ME, token)).body.data.account_id).toBeNull();
  });

  test('become equal to new ones', async () => {
    expect(await migrations().up()).toEqual(HISTORY.slice(1));
    expect(await schemaOf(database)).toEqual(schema);
    expect(await history()).toEqual(HISTORY);
  });

  test('are brought up to date once when four processes start at the same moment', async () => {
    const hosts = await Promise.all(Array.from({ length: 4 }, () => startHost(database)));
    const answers = await Promise.all(hosts.map((host) => host.get(ME, token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await history()).toEqual(HISTORY);
  });

  test('are completed if the column was added and the history does not list the migration', async () => {
    await migrations().up();
    await database.knex('panel_api_migrations').where({ name: HISTORY[1] }).delete();
    expect(await migrations().up()).toEqual([HISTORY[1]]);
    expect(await schemaOf(database)).toEqual(schema);
  });

  test.each([
    ['without', {}, [], null],
    ['with', { account_id: '7', expires_at: 4_000_000_000 }, [], '7'],
  ])(
    'become equal to new ones after the second migration too, and a token %s an account stays valid',
    async (_how, values, allowedAddresses, accountId) => {
      await addAccount(database);
      const other = await insertToken(database, values);
      expect(await migrations().up()).toEqual(HISTORY.slice(2));
      expect(await schemaOf(database)).toEqual(schema);
      const { api, get } = await mount();
      expect((await get(ME, other)).status).toBe(200);
      expect(await api.tokens.get(2)).toMatchObject({
        accountId,
        allowedAddresses,
        rateLimit: null,
        lineage: 2,
        rotatedAt: null,
      });
      const rotated = await api.tokens.rotate(2, { graceSeconds: 60 }, AUTHOR);
      expect(rotated?.record).toMatchObject({ accountId, lineage: 2 });
      expect((await api.tokens.page()).tokens).toHaveLength(3);
    },
  );

  test.each(['lineage', 'rotated_at'])('are completed if only the column %s is missing', async (column) => {
    await migrations().up();
    await database.knex('panel_api_migrations').where({ name: HISTORY[2] }).delete();
    // SQLite drops no column that has an index.
    if (engine === 'sqlite' && column === 'lineage')
      await database.knex.raw('drop index panel_api_tokens_lineage_index');
    await database.knex.raw('alter table panel_api_tokens drop column ??', [column]);
    expect(await migrations().up()).toEqual([HISTORY[2]]);
    expect(await database.knex('panel_api_tokens').columnInfo()).toHaveProperty(column);
    expect((await (await mount()).get(ME, token)).status).toBe(200);
  });

  test('allow no token with migrate: false until they are brought up to date', async () => {
    const { get } = await mount({ migrate: false });
    expect((await get(ME, token)).body.error.code).toBe('unavailable');
    await migrations().up();
    expect((await get(ME, token)).status).toBe(200);
  });

  test('are dropped as new ones are', async () => {
    await migrations().down();
    expect(await schemaOf(database)).toEqual([]);
  });
});

/** Turns the tables back into those that the first migration creates. */
async function backToFirst({ knex }: TestDatabase): Promise<void> {
  await knex.schema.dropTable('panel_api_usage');
  await knex.schema.dropTable('panel_api_usage_hours');
  await knex.schema.dropTable('panel_api_tokens');
  await knex.schema.dropTable('panel_api_audit_log');
  await knex('panel_api_migrations').whereNot({ name: HISTORY[0] }).delete();
  const database = new Database(knex, 5000);
  const { dialect } = database;
  await database.locked('test', 'test', async (session) => {
    for (const [table, define] of Object.entries(createTables.creates!(tableNames('panel_api_'), dialect)))
      await createTable(session, table, define);
  });
}

/** Adds to the table of the tokens what the second migration adds. */
async function addAccount({ knex }: TestDatabase): Promise<void> {
  const database = new Database(knex, 5000);
  await database.locked('test', 'test', async (session) => {
    for (const [table, additions] of Object.entries(addTokenAccount.extends!(tableNames('panel_api_'))))
      await extendTable(session, table, additions);
  });
  await knex('panel_api_migrations').insert({ name: HISTORY[1], applied_at: 1_700_000_000 });
}

/** Writes a token as the first version wrote it. */
async function insertToken({ knex }: TestDatabase, values: object = {}): Promise<string> {
  const token = newToken('pnl');
  await knex('panel_api_tokens').insert({
    name: 'old',
    prefix: shownPrefix(token),
    hash: tokenHash(token),
    scopes: 'profile.read',
    created_at: 1_700_000_000,
    created_by: 'tester',
    ...values,
  });
  return token;
}
