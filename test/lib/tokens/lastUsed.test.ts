import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenRecord } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';

describeEachEngine('The last use of a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let record: TokenRecord;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  beforeEach(async () => {
    ({ token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['profile.read'] }, AUTHOR));
  });

  const lastUsedAt = async () => (await panel.api.tokens.get(record.id))?.lastUsedAt ?? null;

  test('is stored before the answer is sent, and the answer shows it', async () => {
    expect(await lastUsedAt()).toBeNull();
    const { body } = await panel.get(ME, token);
    const noted = await lastUsedAt();
    expect(Math.abs(noted! - Date.now() / 1000)).toBeLessThan(10);
    // A second may begin between reading the token and storing its use.
    expect([0, 1]).toContain(noted! - Date.parse(body.data.token.last_used_at) / 1000);
  });

  // SQLite has one writer, and the process waits for it.
  if (engine !== 'sqlite') {
    test('delays the answer until it is stored', async () => {
      const blocker = await database.knex.transaction();
      let waiting: ReturnType<typeof panel.get>;
      try {
        await blocker('panel_api_tokens').where({ id: record.id }).forUpdate().first();
        waiting = panel.get(ME, token);
        expect(await Promise.race([waiting, sleep(200, 'still waiting')])).toBe('still waiting');
      } finally {
        await blocker.rollback();
      }
      expect((await waiting).status).toBe(200);
    });
  }

  test('is stored for a request that is refused after the token was accepted', async () => {
    expect((await panel.get('/api/v1/domains.php', token)).status).toBe(403);
    expect(await lastUsedAt()).not.toBeNull();
  });

  test('is not stored for a token that is refused', async () => {
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect((await panel.get(ME, token)).status).toBe(401);
    expect(await lastUsedAt()).toBeNull();
  });

  test('is written once for all requests of one second', async () => {
    const writes: string[] = [];
    const note = ({ sql }: { sql: string }) => {
      if (/\bupdate\b.*last_used_at/is.test(sql)) writes.push(sql);
    };
    database.knex.on('query', note);
    await sleep(1000 - (Date.now() % 1000));
    const seconds = new Set<string>();
    for (let request = 0; request < 10; request += 1)
      seconds.add((await panel.get(ME, token)).body.data.token.last_used_at);
    database.knex.off('query', note);
    expect(seconds.size).toBeLessThan(10);
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.length).toBeLessThanOrEqual(seconds.size);
  });

  test('never goes back', async () => {
    const later = Math.floor(Date.now() / 1000) + 1000;
    await database.knex('panel_api_tokens').where({ id: record.id }).update({ last_used_at: later });
    expect((await panel.get(ME, token)).status).toBe(200);
    expect(await lastUsedAt()).toBe(later);
  });
});
