import { describeEachEngine, freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const DAY = 86_400;

describeEachEngine('Rotating a token in two steps', (engine) => {
  let panel: TestPanel;

  beforeAll(async () => {
    panel = await startPanel({ db: (await freshDatabase(engine)).knex });
  });

  const create = (request: object = {}) =>
    panel.api.tokens.create({ name: 'billing', scopes: ['profile.read'], ...request }, AUTHOR);

  const statusFor = async (token: string) => (await panel.get('/api/v1/me.php', token)).status;

  test('does not change the old token in the first, and ends it in the second as in one', async () => {
    const old = await create({ expiresInSeconds: 30 * DAY });
    const begun = await panel.api.tokens.beginRotation(old.record.id, { graceSeconds: 60 }, AUTHOR);
    expect(await panel.api.tokens.get(old.record.id)).toEqual({ ...old.record, readAt: expect.any(Number) });
    expect(await statusFor(begun!.token)).toBe(200);
    await panel.api.tokens.endRotation(begun!, { graceSeconds: 60 }, AUTHOR);
    const ended = await panel.api.tokens.get(old.record.id);
    expect(ended).toEqual({ ...begun!.previous, lastUsedAt: null, readAt: expect.any(Number) });
    expect(ended!.expiresAt! - ended!.rotatedAt!).toBe(60);
    const [entry] = await panel.api.audit.list({ tokenId: old.record.id });
    expect([entry?.action, entry?.details]).toEqual([
      'token.rotated',
      expect.objectContaining({ replaced_by: begun!.record.id, grace_seconds: 60 }),
    ]);
  });

  test('changes nothing if the second is done again', async () => {
    const { tokens, audit } = panel.api;
    const old = await create();
    const begun = await tokens.beginRotation(old.record.id, { graceSeconds: 60 }, AUTHOR);
    await tokens.endRotation(begun!, { graceSeconds: 60 }, AUTHOR);
    const before = await tokens.get(old.record.id);
    const entries = await audit.list();
    await tokens.endRotation(begun!, { graceSeconds: 60 }, AUTHOR);
    expect(await tokens.get(old.record.id)).toEqual({ ...before, readAt: expect.any(Number) });
    expect(await audit.list()).toEqual(entries);
    expect(await statusFor(begun!.token)).toBe(200);
  });

  test('is refused at the second if the old token was changed, rotated or revoked in between', async () => {
    const { tokens } = panel.api;
    for (const change of [
      (id: number) => tokens.rotate(id, { graceSeconds: DAY }, AUTHOR),
      (id: number) => tokens.revoke(id, AUTHOR),
      (id: number) => tokens.update(id, { rateLimit: 5 }, AUTHOR),
      (id: number) => tokens.extend(id, { expiresAt: null }, AUTHOR),
    ]) {
      const { record } = await create({ expiresInSeconds: DAY });
      const begun = await panel.api.tokens.beginRotation(record.id, { graceSeconds: 0 }, AUTHOR);
      await change(record.id);
      const before = await panel.api.tokens.get(record.id);
      const ending = panel.api.tokens.endRotation(begun!, { graceSeconds: 0 }, AUTHOR);
      await expect(ending).rejects.toThrow('was changed, rotated or revoked in the meantime');
      expect(await panel.api.tokens.get(record.id)).toEqual({ ...before, readAt: expect.any(Number) });
    }
  });

  test('does not change the old token if the new one was revoked in between', async () => {
    const { record } = await create();
    const begun = await panel.api.tokens.beginRotation(record.id, { graceSeconds: 0 }, AUTHOR);
    await panel.api.tokens.revoke(begun!.record.id, AUTHOR);
    const ending = panel.api.tokens.endRotation(begun!, { graceSeconds: 0 }, AUTHOR);
    await expect(ending).rejects.toThrow('was revoked in the meantime');
    expect(await panel.api.tokens.get(record.id)).toEqual({ ...record, readAt: expect.any(Number) });
  });
});
