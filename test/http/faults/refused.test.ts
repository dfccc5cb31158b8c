import { randomBytes } from 'node:crypto';
import { knex as connect, type Knex } from 'knex';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { QUIET } from '../../fixture/faults/ownDatabase';
import { livedMs } from '../../fixture/livedMs';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';

async function outcome(panel: TestPanel, token?: string) {
  const { status, body } = await panel.get(ME, token);
  return [status, body.error?.code];
}

describe.each(['mariadb', 'postgresql'] as const)('To a user of %s', (engine) => {
  let database: TestDatabase;
  let token: string;
  let tokenId: number;
  let user: string;
  let knex: Knex;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    const owner = await startPanel({ db: database.knex });
    const { token: made, record } = await owner.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    [token, tokenId] = [made, record.id];
    await owner.close();
    user = `limited_${randomBytes(4).toString('hex')}`;
  });

  afterEach(async () => {
    await knex?.destroy();
    if (engine === 'postgresql') await database.knex.raw(`DROP OWNED BY ${user}`);
    await database.knex.raw(`DROP USER ${user}`);
  });

  const grant = async (statements: Readonly<Record<typeof engine, readonly string[]>>) => {
    const password = randomBytes(8).toString('hex');
    const created = { mariadb: `IDENTIFIED BY '${password}'`, postgresql: `PASSWORD '${password}'` }[engine];
    await database.knex.raw(`CREATE USER ${user} ${created}`);
    for (const statement of statements[engine])
      await database.knex.raw(statement.replace('{user}', user).replace('{database}', databaseName()));
    const url = Object.assign(new URL(database.url), { username: user, password });
    const client = engine === 'mariadb' ? 'mysql2' : 'pg';
    knex = connect({ client, connection: url.href, ...QUIET, pool: { min: 0, max: 1 } });
    panel = await startPanel({ db: knex });
  };

  const databaseName = () => new URL(database.url).pathname.slice(1);

  test('who may only read, every request is 503 and nothing is changed', async () => {
    await grant({
      mariadb: ['GRANT SELECT ON {database}.* TO {user}'],
      postgresql: ['GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}'],
    });
    expect(await outcome(panel, token)).toEqual([503, 'unavailable']);
    await expect(panel.token()).rejects.toThrow('tokens.create failed');
    await expect(panel.api.tokens.revoke(tokenId, AUTHOR)).rejects.toThrow('tokens.revoke failed');
    expect(await database.knex('panel_api_tokens').pluck('revoked_at')).toEqual([null]);
    expect(await database.knex('panel_api_audit_log')).toHaveLength(1);
    expect(await outcome(panel)).toEqual([401, 'token_missing']);
  });

  test('who has no connection left, every request is 503 at once, and 200 when there is one', async () => {
    await grant({
      mariadb: ['GRANT ALL ON {database}.* TO {user}', 'ALTER USER {user} WITH MAX_USER_CONNECTIONS 1'],
      postgresql: [
        'GRANT ALL ON ALL TABLES IN SCHEMA public TO {user}',
        'GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {user}',
        'ALTER USER {user} CONNECTION LIMIT 1',
      ],
    });
    const hog = connect({ client: knex.client.config.client, connection: knex.client.config.connection });
    await hog.raw('select 1');
    const [refusal, lived] = await livedMs(() => outcome(panel, token));
    expect(refusal).toEqual([503, 'unavailable']);
    // At once, and not at the deadline, which is half a minute here.
    expect(lived).toBeLessThan(5000);
    await hog.destroy();
    // The server learns a moment later that the connection is gone.
    const patience = performance.now() + 30_000;
    while ((await outcome(panel, token))[0] !== 200) expect(performance.now()).toBeLessThan(patience);
  });
});

describeEachEngine('When a table of the module is dropped', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, ...OWN_SWITCH });
    await panel.api.settings.enable(AUTHOR);
    token = await panel.token();
  });

  const rename = (from: string, to: string) => database.knex.schema.renameTable(from, to);

  test.each(['settings', 'tokens', 'rate_limits'])('every request is 503 without %s', async (name) => {
    await rename(`panel_api_${name}`, 'elsewhere');
    const answers = [await outcome(panel, token), await outcome(panel, token)];
    await rename('elsewhere', `panel_api_${name}`);
    expect(answers).toEqual([
      [503, 'unavailable'],
      [503, 'unavailable'],
    ]);
    expect(await outcome(panel, token)).toEqual([200, undefined]);
  });

  test('every request is answered as before without audit_log, and no token is created or revoked', async () => {
    const [record] = await panel.api.tokens.list();
    await rename('panel_api_audit_log', 'elsewhere');
    const answer = await outcome(panel, token);
    const changes = await Promise.allSettled([panel.token(), panel.api.tokens.revoke(record!.id, AUTHOR)]);
    await rename('elsewhere', 'panel_api_audit_log');
    expect(answer).toEqual([200, undefined]);
    expect(changes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
