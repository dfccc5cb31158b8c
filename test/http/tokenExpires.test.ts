import { describeOneEngine, freshDatabase } from '../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';

const DAY = 86_400;
const ME = '/api/v1/me.php';

describeOneEngine('The header Token-Expires', (engine) => {
  let panel: TestPanel;

  beforeAll(async () => {
    panel = await startPanel({ db: (await freshDatabase(engine)).knex });
  });

  const headerOf = async (token: string, path = ME, init: RequestInit = {}) =>
    (await panel.get(path, token, init)).headers.get('Token-Expires');

  test('is on every answer in the last 14 days, also on a refusal, a 304 and after a rotation', async () => {
    const request = { name: 'x', scopes: ['profile.read'], expiresInSeconds: 14 * DAY };
    const { token, record } = await panel.api.tokens.create(request, AUTHOR);
    const time = `${new Date(record.expiresAt! * 1000).toISOString().slice(0, 19)}+00:00`;
    expect(await headerOf(token)).toBe(time);
    for (const path of ['/api/v1/domains.php', '/api/v1/nothing.php', `${ME}?x=1`])
      expect([path, await headerOf(token, path)]).toEqual([path, time]);
    expect(await headerOf(token, ME, { headers: { 'If-None-Match': '*' } })).toBe(time);
    expect(await headerOf(token, ME, { method: 'HEAD' })).toBe(time);
    await panel.api.tokens.rotate(record.id, { graceSeconds: 20 * DAY }, AUTHOR);
    expect(await headerOf(token)).toBe(time);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect(await headerOf(token)).toBeNull();
  });

  test('is not on answers before, and for a token that never expires', async () => {
    for (const expiry of [{ expiresInSeconds: 15 * DAY }, { expiresAt: null }])
      expect(await headerOf(await panel.token(expiry))).toBeNull();
    expect((await panel.get(ME)).headers.get('Token-Expires')).toBeNull();
  });
});
