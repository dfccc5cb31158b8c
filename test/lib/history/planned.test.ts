import { Readable } from 'node:stream';
import { linesOf } from '../../../lib/history/Restores';
import { installationOf } from '../../../middleware/PanelApi';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { dumpTables } from '../../fixture/dumpTables';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const MEBIBYTE = 2 ** 20;

describeEachEngine('The plan of a restore', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  const restores = () => installationOf(panel.api).restores;
  const lines = () =>
    panel.log
      .filter(({ message }) => message === 'panel-api audit')
      .map(({ message, fields }) => JSON.stringify({ message, ...fields }));
  const create = async () => {
    const request = { name: 'test', scopes: ['profile.read', 'email.read'], expiresAt: null };
    return (await panel.api.tokens.create(request, AUTHOR)).record;
  };
  const change = async (id: number, scopes: readonly string[]) =>
    panel.api.tokens.update(id, { scopes }, AUTHOR);
  const stateOf = async (id: number) => (await panel.api.tokens.get(id))?.state;
  const noticeLost = async (entry: number) => {
    const lost = { newest: { entry: 1, at: 1 }, known: { entry, at: 1 }, noticed: 'test' };
    const row = { name: 'lost_history', value: JSON.stringify(lost), updated_at: 1, updated_by: 'test' };
    await database.knex('panel_api_settings').insert(row);
  };

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  test('revokes a token to which a change since it was shown leaves nothing', async () => {
    const { id } = await create();
    const restore = await dumpTables(database);
    await change(id, ['email.read']);
    await restore();
    const plan = await restores().plan({ lines: lines() });
    await change(id, ['profile.read']);
    await restores().carryOut(plan, AUTHOR);
    expect(await stateOf(id)).toBe('revoked');
  });

  test('does a revocation again that may not be stored, and says so', async () => {
    const { id } = await create();
    const restore = await dumpTables(database);
    await panel.api.tokens.revoke(id, AUTHOR);
    await restore();
    const [created, revoked] = lines();
    const log = [created!, JSON.stringify({ ...JSON.parse(revoked!), uncertain: true })];
    const plan = await restores().plan({ lines: log });
    expect(plan.warnings).toEqual([{ kind: 'uncertain', values: '2' }]);
    await restores().carryOut(plan, AUTHOR);
    expect(await stateOf(id)).toBe('revoked');
  });

  test('counts the entries up to the newest known one that no log has', async () => {
    await create();
    const restore = await dumpTables(database);
    for (let count = 0; count < 3; count += 1) await create();
    await restore();
    await noticeLost(6);
    const plan = await restores().plan({ lines: lines() });
    expect(plan.warnings).toContainEqual({ kind: 'missing', values: '2' });
  });

  test.each(['log', 'time'])(
    'is written, from a %s, under a higher id than the newest known one',
    async (by) => {
      await create();
      await noticeLost(5000);
      const plan =
        by === 'log' ? await restores().plan({ lines: lines() }) : await restores().plan({ since: 1 });
      await restores().carryOut(plan, AUTHOR);
      const [entry] = await panel.api.audit.list({ limit: 1 });
      expect(entry).toMatchObject({ action: 'database.restored' });
      expect(entry!.id).toBeGreaterThan(5000);
    },
  );

  test('leaves no ids out if few are left', async () => {
    const { id } = await create();
    await database
      .knex('panel_api_tokens')
      .where({ id })
      .update({ id: 2 ** 31 - 500_000 });
    const plan = await restores().plan({ since: 1 });
    await expect(restores().carryOut(plan, AUTHOR)).rejects.toThrow('too few ids left');
    expect(await panel.api.audit.list()).toHaveLength(1);
  });

  test('names the settings and the switch that were changed after the dump', async () => {
    panel = await startPanel({ db: database.knex, ...OWN_SWITCH });
    await panel.api.settings.change({ enabled: true }, AUTHOR);
    const restore = await dumpTables(database);
    await panel.api.settings.change({ assistantsEnabled: true }, AUTHOR);
    await panel.api.settings.change({ enabled: false }, AUTHOR);
    await restore();
    const { warnings } = await restores().plan({ lines: lines() });
    expect(warnings).toEqual([
      { kind: 'disabled', values: expect.stringMatching(/^\d{4}-/) },
      { kind: 'settings', values: 'assistants_enabled' },
    ]);
  });

  test('takes a line of more than a mebibyte for a cut one, and keeps no more of it', async () => {
    await create();
    const chunk = Buffer.alloc(MEBIBYTE, ' ');
    const log = Readable.from([...Array.from({ length: 64 }, () => chunk), `\n${lines().join('\n')}`]);
    const read: string[] = [];
    for await (const line of linesOf(log, 'test')) read.push(line);
    expect(read[0]!.length).toBeLessThan(3 * MEBIBYTE);
    expect(await restores().plan({ lines: read })).toMatchObject({ lost: [], unread: 1 });
  });
});
