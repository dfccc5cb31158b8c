import type { Knex } from 'knex';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { startMariadb } from '../../servers/startMariadb';

const ME = '/api/v1/me.php';
const TOKENS = 40;

const SET = {
  mariadb: (level: string) => `SET SESSION TRANSACTION ISOLATION LEVEL ${level}`,
  postgresql: (level: string) => `SET default_transaction_isolation TO '${level}'`,
} as const;

describe.each([
  ['mariadb', 'REPEATABLE READ'],
  ['mariadb', 'SERIALIZABLE'],
  ['postgresql', 'repeatable read'],
  ['postgresql', 'serializable'],
] as const)('On %s, over handles whose isolation level is %s,', (engine, level) => {
  let database: TestDatabase;
  let handles: readonly Knex[] = [];
  let panels: readonly TestPanel[] = [];

  beforeEach(async () => {
    database = await freshDatabase(engine);
    const afterCreate = (
      connection: { query(sql: string, done: (error: unknown) => void): void },
      done: (error: unknown) => void,
    ) => connection.query(SET[engine](level), done);
    handles = [1, 2].map(() =>
      openHandle({ ...handleSettings(database), pool: { min: 0, max: 10, afterCreate } }),
    );
    panels = await Promise.all(
      handles.map((db) =>
        // Retries until the deadline must not fail because the machine is busy.
        startPanel({ db, deadlineMs: 20_000, rateLimit: { requests: 10_000, windowSeconds: 86_400 } }),
      ),
    );
  });

  const create = (panel: TestPanel, request = {}) =>
    panel.api.tokens.create({ name: 'test', scopes: ['*'], ...request }, AUTHOR);
  const rejections = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));

  test('changes of tokens in use never fail because of one another', async () => {
    const [one, other] = panels as [TestPanel, TestPanel];
    const made = await Promise.all(Array.from({ length: TOKENS }, () => create(one)));
    const changes = made.flatMap(({ token, record: { id } }, index) => {
      const change = ({ api }: TestPanel) =>
        index % 2 ? api.tokens.revoke(id, AUTHOR) : api.tokens.rotate(id, { graceSeconds: 300 }, AUTHOR);
      const use = async (panel: TestPanel) => expect((await panel.get(ME, token)).status).not.toBe(503);
      const settings = ({ api }: TestPanel) => api.settings.change({ defaultExpiryDays: index + 1 }, AUTHOR);
      return [use(one), use(other), change(one), use(one), change(other), settings(index % 4 ? one : other)];
    });
    const rejected = rejections(await Promise.allSettled(changes));
    // The second of two rotations of one token is refused.
    expect(rejected.filter((reason) => !/was already rotated/.test(reason))).toEqual([]);
    expect(rejected).toHaveLength(TOKENS / 2);
    const revoked = await database
      .knex('panel_api_audit_log')
      .where({ action: 'token.revoked' })
      .whereIn(
        'token_id',
        made.map(({ record }) => record.id),
      );
    expect(new Set(revoked.map(({ token_id }) => token_id)).size).toBe(TOKENS / 2);
    expect(revoked).toHaveLength(TOKENS / 2);
  });

  test('a request that is sent twice creates one token', async () => {
    await Promise.all(panels.map(({ api }) => api.settings.read()));
    const again = Array.from({ length: 10 }, (_, index) =>
      create(panels[index % 2] as TestPanel, { idempotencyKey: 'a-form-that-is-sent-twice' }),
    );
    const rejected = rejections(await Promise.allSettled(again));
    expect(rejected).toHaveLength(9);
    expect(rejected.filter((reason) => !/already created token \d+/.test(reason))).toEqual([]);
    expect(await database.knex('panel_api_tokens')).toHaveLength(1);
  });

  test('two processes create the tables at the same time', async () => {
    await expect(Promise.all(panels.map((panel) => create(panel)))).resolves.toHaveLength(2);
  });
});

describe('On MariaDB that logs statements', () => {
  // InnoDB refuses to write at READ COMMITTED there.
  test('tokens are created, revoked and counted', async () => {
    const server = await startMariadb({ logsStatements: true });
    closeAtEnd(() => server.stop());
    const { knex } = await ownDatabase(server, 'mariadb');
    const panel = await startPanel({ db: knex });
    const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    expect((await panel.get(ME, token)).status).toBe(200);
    await panel.api.usage.flush();
    expect((await panel.api.usage.today([record.id])).get(record.id)).toBe(1);
    expect((await panel.api.tokens.revoke(record.id, AUTHOR))?.state).toBe('revoked');
  });
});
