import { setTimeout } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DuplicateRequest } from '../../../index';
import { DatabaseFailure } from '../../../lib/database/DatabaseFailure';
import { type Engine, engines, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { delayStatement } from '../../fixture/delayStatement';
import { type CommitProxy, commitProxy } from '../../fixture/faults/commitProxy';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { plainSql } from '../../fixture/plainSql';
import '../../fixture/tryAgain';

// Only PostgreSQL can be set up to refuse a commit.
const REFUSE_COMMITS = [
  `CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE 'refused'; END $$ LANGUAGE plpgsql`,
  `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON panel_api_tokens
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
];

describe('A change of tokens whose commit is refused', () => {
  let database: TestDatabase;
  let panel: TestPanel;
  let tokenId: number;

  beforeAll(async () => {
    database = await freshDatabase('postgresql');
    panel = await startPanel({ db: database.knex });
    tokenId = (await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR)).record.id;
    for (const statement of REFUSE_COMMITS) await database.knex.raw(statement);
  });

  test('leaves neither a token nor an audit entry', async () => {
    await expect(panel.token()).rejects.toThrow('tokens.create failed');
    expect(await panel.api.tokens.list()).toHaveLength(1);
    expect(await panel.api.audit.list()).toHaveLength(1);
  });

  test('revokes nothing and leaves no audit entry', async () => {
    await expect(panel.api.tokens.revoke(tokenId, AUTHOR)).rejects.toThrow('tokens.revoke failed');
    expect(await panel.api.tokens.get(tokenId)).toMatchObject({ state: 'active' });
    expect(await panel.api.audit.list()).toHaveLength(1);
  });
});

/** The position of the last statement in the transaction that creates a token. */
const LAST_OF_CREATION = 4;

// knex prints the fate of each connection.
const SILENT = { warn: () => undefined };

describe.each(['mariadb', 'postgresql'] as const)('A COMMIT whose answer is lost (%s)', (engine) => {
  let database: TestDatabase;
  let proxy: CommitProxy;
  let db: Knex;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    proxy = await commitProxy(database.url);
    db = openHandle({
      client: engine === 'mariadb' ? 'mysql2' : 'pg',
      connection: proxy.url,
      pool: { min: 0, max: 1 },
      log: SILENT,
    });
    panel = await startPanel({ db, deadlineMs: 2500 });
    // This creates the tables, so that their transaction is over.
    await panel.api.tokens.list();
  });

  const create = () => panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
  const newest = async () => (await panel.api.tokens.list())[0];
  const trail = async (tokenId: number) => {
    const entries = await panel.api.audit.list({ tokenId });
    return entries.map(({ action, actor }) => [action, actor]);
  };

  test.each(['connection lost', 'no answer'] as const)('leaves no valid token: %s', async (fate) => {
    proxy.fate = fate;
    await expect(create()).rejects.toThrow(DatabaseFailure);
    const { id, state } = (await newest())!;
    expect(state).toBe('revoked');
    expect(await trail(id)).toEqual([
      ['token.revoked', AUTHOR.actor],
      ['token.created', AUTHOR.actor],
    ]);
  });

  test.each(['connection lost', 'no answer'] as const)(
    'leaves no valid successor, and the old token its grace: %s',
    async (fate) => {
      const { record } = await create();
      proxy.fate = fate;
      await expect(panel.api.tokens.rotate(record.id, { graceSeconds: 300 }, AUTHOR)).rejects.toThrow(
        DatabaseFailure,
      );
      expect(await newest()).toMatchObject({ lineage: record.id, state: 'revoked' });
      const old = (await panel.api.tokens.get(record.id))!;
      expect([old.state, old.expiresAt! - old.rotatedAt!]).toEqual(['active', 300]);
      const { expiresAt } = (await panel.api.tokens.extend(record.id, { expiresInSeconds: 86_400 }, AUTHOR))!;
      expect(expiresAt! - old.rotatedAt!).toBeGreaterThanOrEqual(86_400);
    },
  );

  test('of a request that is sent again names the token that was revoked', async () => {
    const request = { name: 'test', scopes: ['*'], idempotencyKey: 'sent-again' };
    proxy.fate = 'connection lost';
    await expect(panel.api.tokens.create(request, AUTHOR)).rejects.toThrow(DatabaseFailure);
    await expect(panel.api.tokens.create(request, AUTHOR)).rejects.toThrow(DuplicateRequest);
    expect(await newest()).toMatchObject({ state: 'revoked' });
  });

  test('revokes no token that the same request has created since', async () => {
    const request = { name: 'test', scopes: ['*'], idempotencyKey: 'sent-twice' };
    proxy.fate = 'not sent';
    const [first, second] = await Promise.allSettled([
      panel.api.tokens.create(request, AUTHOR),
      panel.api.tokens.create(request, AUTHOR),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'COMMIT_UNANSWERED' } });
    expect(second).toMatchObject({ status: 'fulfilled' });
    expect(await newest()).toMatchObject({ state: 'active' });
  });

  test('because COMMIT never arrived leaves nothing', async () => {
    const before = await panel.api.tokens.list();
    proxy.fate = 'not sent';
    await expect(create()).rejects.toThrow('COMMIT_UNANSWERED');
    expect(await panel.api.tokens.list()).toHaveLength(before.length);
  });

  test('is not sent for a token that is created too late', async () => {
    const before = await panel.api.tokens.list();
    let creating: Promise<unknown> = Promise.resolve();
    // A timer may be early by a millisecond.
    const isDelayed = delayStatement(db, LAST_OF_CREATION, () => creating.catch(() => setTimeout(20)));
    creating = create();
    await expect(creating).rejects.toThrow('DEADLINE');
    // It waits for the only connection, and so for the end of the transaction.
    expect(await panel.api.tokens.list()).toHaveLength(before.length);
    expect(isDelayed()).toBe(true);
  });

  test('fails with COMMIT_UNKNOWN if the database cannot be asked afterwards either', async () => {
    proxy.fate = 'no answer';
    const creating = create();
    const freeze = setInterval(() => {
      if (proxy.fate === null) proxy.delayMs = 5000;
    }, 1);
    const error = await creating.catch((reason) => reason);
    clearInterval(freeze);
    proxy.delayMs = 0;
    expect(error).toMatchObject({ code: 'COMMIT_UNKNOWN' });
  });
});

test('A COMMIT that is answered too late leaves no valid token after a conflict either', async () => {
  const database = await freshDatabase('sqlite');
  const { api } = await startPanel({ db: database.knex, deadlineMs: 500 });
  await api.tokens.list();
  const client = database.knex.client;
  const query = client._query;
  let inserts = 0;
  client._query = async (connection: unknown, object: { readonly sql: string }) => {
    // The failure that another writer causes.
    if (/^insert into .*tokens/i.test(object.sql) && ++inserts === 1)
      throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
    const result = await query.call(client, connection, object);
    if (inserts === 2 && object.sql === 'COMMIT') await setTimeout(1000);
    return result;
  };
  await expect(api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR)).rejects.toThrow(DatabaseFailure);
  client._query = query;
  expect(inserts).toBe(2);
  expect(await api.tokens.list()).toMatchObject([{ name: 'test', state: 'revoked' }]);
});

/** Creates a token on a new database. `answer` receives what COMMIT returns, and returns or throws what knex gets. */
async function createWith(engine: Engine, answer: (result: object) => object) {
  const database = await freshDatabase(engine);
  const { api } = await startPanel({ db: database.knex });
  await api.tokens.list();
  const client = database.knex.client;
  const query = client._query;
  client._query = async (connection: unknown, object: { readonly sql: string }) => {
    const result = await query.call(client, connection, object);
    if (plainSql(object.sql) !== 'COMMIT') return result;
    client._query = query;
    return answer(result);
  };
  await expect(api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR)).rejects.toThrow(DatabaseFailure);
  return api.tokens.list();
}

test('A COMMIT that a node of Galera can neither confirm nor refuse leaves no valid token', async () => {
  const tokens = await createWith('mariadb', () => {
    throw Object.assign(new Error('lost'), { code: 'ER_ERROR_DURING_COMMIT', errno: 1180 });
  });
  expect(tokens).toMatchObject([{ name: 'test', state: 'revoked' }]);
});

test.each(engines)(
  'A COMMIT after which knex or the driver throws leaves no valid token (%s)',
  async (engine) => {
    const tokens = await createWith(engine, () => {
      throw new TypeError('no answer');
    });
    expect(tokens).toMatchObject([{ name: 'test', state: 'revoked' }]);
  },
);

test.each(engines)('A change for which the pool returns no connection is refused (%s)', async (engine) => {
  const database = await freshDatabase(engine);
  const { api } = await startPanel({ db: database.knex });
  await api.tokens.list();
  const client = database.knex.client;
  const acquire = client.acquireConnection;
  client.acquireConnection = async () => {
    client.acquireConnection = acquire;
    return undefined;
  };
  await expect(api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR)).rejects.toThrow('UNKNOWN_ANSWER');
  expect(await api.tokens.list()).toEqual([]);
});

test.each([
  ['SQLITE_FULL', 'ROLLBACK', 'SQLITE_FULL', []],
  ['SQLITE_IOERR_FSYNC', 'COMMIT', 'COMMIT_UNANSWERED', ['revoked']],
])(
  'A COMMIT for which SQLite answers %s, after a %s of its own, fails with %s',
  async (code, end, told, states) => {
    const { knex } = await freshDatabase('sqlite');
    const { api } = await startPanel({ db: knex });
    await api.tokens.list();
    const query = knex.client._query;
    knex.client._query = function (connection: { exec(sql: string): void }, sent: { sql: string }) {
      if (sent.sql !== 'COMMIT') return query.call(this, connection, sent);
      knex.client._query = query;
      connection.exec(end);
      return Promise.reject(Object.assign(new Error('refused'), { code }));
    };
    await expect(api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR)).rejects.toMatchObject({
      code: told,
    });
    expect((await api.tokens.list()).map(({ state }) => state)).toEqual(states);
  },
);
