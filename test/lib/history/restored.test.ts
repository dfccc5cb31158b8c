import { installationOf } from '../../../middleware/PanelApi';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { dumpTables } from '../../fixture/dumpTables';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

describeEachEngine('After a restore', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  const restores = () => installationOf(panel.api).restores;
  const lines = () =>
    panel.log
      .filter(({ message }) => message === 'panel-api audit')
      .map(({ message, fields }) => JSON.stringify({ level: 'info', message, ...fields }));
  const create = async (changes = {}) => {
    const request = { name: 'test', scopes: ['profile.read', 'email.read'], expiresAt: null, ...changes };
    return panel.api.tokens.create(request, AUTHOR);
  };
  const answer = async (token: string) => (await panel.get('/api/v1/me.php', token)).status;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  test('what was ended is ended again, and what lived lives on', async () => {
    const [revoked, narrowed, rotated, kept, earlier] = [
      await create(),
      await create({ scopes: ['*'] }),
      await create(),
      await create(),
      await create({ expiresAt: Math.floor(Date.now() / 1000) + 5000 }),
    ];
    const restore = await dumpTables(database);
    const { tokens } = panel.api;
    await tokens.revoke(revoked.record.id, AUTHOR);
    await tokens.update(narrowed.record.id, { scopes: ['email.read'] }, AUTHOR);
    const rotation = await tokens.rotate(rotated.record.id, { graceSeconds: 300 }, AUTHOR);
    await tokens.update(earlier.record.id, { expiresInSeconds: 100 }, AUTHOR);
    await restore();
    expect(await answer(revoked.token)).toBe(200);
    const plan = await restores().plan({ lines: lines() });
    expect(
      plan.changes.toReversed().map(({ token, changes }) => [token.id, changes && Object.keys(changes)]),
    ).toEqual([
      [revoked.record.id, null],
      [narrowed.record.id, ['scopes']],
      [rotated.record.id, ['expires_at']],
      [earlier.record.id, ['expires_at']],
    ]);
    await restores().carryOut(plan, AUTHOR);
    expect(await answer(revoked.token)).toBe(401);
    expect(await answer(narrowed.token)).toBe(403);
    expect(await answer(kept.token)).toBe(200);
    expect(await answer(rotation!.token)).toBe(401);
    expect((await tokens.get(rotated.record.id))?.expiresAt).toBe(rotation!.previous.expiresAt);
    expect((await create()).record.id).toBeGreaterThan(rotation!.record.id);
    const [newest] = await panel.api.audit.list({ limit: 1 });
    expect(newest!.id).toBeGreaterThan(plan.largest!.auditLog);
  });

  test('nothing is done twice', async () => {
    const { record } = await create({ scopes: ['*'] });
    const restore = await dumpTables(database);
    await panel.api.tokens.update(record.id, { scopes: ['email.read'] }, AUTHOR);
    await restore();
    await restores().carryOut(await restores().plan({ lines: lines() }), AUTHOR);
    await panel.api.tokens.update(record.id, { scopes: ['*'] }, AUTHOR);
    expect(await restores().plan({ lines: lines() })).toMatchObject({ lost: [], changes: [] });
  });
});
