import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';

const ME = '/api/v1/me.php';
const HOUR = 3600;

describeEachEngine("A token's times, among processes whose clocks and time zones differ,", (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let ahead: HostProcess;
  let behind: HostProcess;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
    await panel.token();
    [ahead, behind] = await Promise.all([
      startHost(database, { clockSkewSeconds: 48 * HOUR, env: { TZ: 'Asia/Tokyo' } }),
      startHost(database, { clockSkewSeconds: -48 * HOUR, env: { TZ: 'America/New_York' } }),
    ]);
  });

  test('are written by the clock of the database', async () => {
    const created = await Promise.all(
      [ahead, behind].map((host) => host.create({ name: 'made', scopes: ['*'], expiresInSeconds: HOUR })),
    );
    for (const { record } of created) {
      expect(Math.abs(record.createdAt - Date.now() / 1000)).toBeLessThan(60);
      expect(record.expiresAt! - record.createdAt).toBe(HOUR);
      const revoked = await ahead.revoke(record.id);
      expect(Math.abs(revoked!.revokedAt! - Date.now() / 1000)).toBeLessThan(60);
    }
  });

  test('keep a token valid for a process whose own clock is past its expiry', async () => {
    const { token } = await behind.create({ expiresInSeconds: HOUR });
    expect((await ahead.get(ME, token)).status).toBe(200);
    expect((await panel.get(ME, token)).status).toBe(200);
  });

  test('refuse an expired token in a process whose own clock is before its expiry', async () => {
    const { token, record } = await ahead.create({ expiresInSeconds: HOUR });
    const expiry = { expires_at: Math.floor(Date.now() / 1000) };
    await database.knex('panel_api_tokens').where({ id: record.id }).update(expiry);
    for (const host of [behind, ahead]) {
      const { status, body } = await host.get(ME, token);
      expect([status, body.error.code]).toEqual([401, 'token_expired']);
    }
    expect(await panel.api.tokens.get(record.id)).toMatchObject({ state: 'expired' });
  });

  test('refuse an expiry by the clock of the database alone', async () => {
    const now = Math.floor(Date.now() / 1000);
    await expect(behind.create({ expiresAt: now - HOUR })).rejects.toThrow('must be in the future');
    await expect(ahead.create({ expiresAt: now + HOUR })).resolves.toMatchObject({
      record: { state: 'active' },
    });
  });

  test('read the same wherever they are read', async () => {
    const { token } = await panel.api.tokens.create(
      { name: 'same', scopes: ['*'], expiresInSeconds: HOUR },
      AUTHOR,
    );
    const read = async (from: Pick<TestPanel | HostProcess, 'get'>) => {
      const { created_at, expires_at } = (await from.get(ME, token)).body.data.token;
      return { created_at, expires_at };
    };
    const times = await read(panel);
    expect(times.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect([await read(ahead), await read(behind)]).toEqual([times, times]);
  });
});
