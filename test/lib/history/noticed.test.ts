import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PanelApiOptions } from '../../../index';
import { createInstallation } from '../../../lib/Installation';
import { installationOf } from '../../../middleware/PanelApi';
import { operations } from '../../../routes';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { dumpTables } from '../../fixture/dumpTables';
import { handleSettings } from '../../fixture/handleSettings';
import { laterBy } from '../../fixture/laterBy';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { recordingLogger } from '../../fixture/recordingLogger';
import { until } from '../../fixture/until';
import { runDirectory } from '../../servers/serverUrl';

const MINUTE_MS = 61_000;

describeEachEngine('A database that was set back', (engine) => {
  let database: TestDatabase;
  const start = async (options: Partial<PanelApiOptions> = {}) => {
    const db = engine === 'sqlite' ? database.knex : openHandle(handleSettings(database));
    return startPanel({ db, ...options });
  };
  const create = async (panel: TestPanel) =>
    panel.api.tokens.create({ name: 'test', scopes: ['*'], expiresAt: null }, AUTHOR);
  const older = (panel: TestPanel) =>
    panel.log.filter(({ message }) => message === 'panel-api database is older than known');
  const historyCheck = async (panel: TestPanel, token: string) => {
    const { body } = await panel.get('/api/v1/health.php', token);
    return body.data?.checks.find(({ name }: { readonly name: string }) => name === 'history');
  };

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  test('is noticed within a minute by each process, and told once', async () => {
    const events: unknown[] = [];
    const onTokenEvent = (event: unknown) => events.push(event);
    const [one, other] = [await start({ onTokenEvent }), await start({ onTokenEvent })];
    const { token } = await create(one);
    expect((await other.get('/api/v1/me.php', token)).status).toBe(200);
    expect(await historyCheck(one, token)).toMatchObject({ status: 'pass' });
    const restore = await dumpTables(database);
    const lost = await create(one);
    laterBy(MINUTE_MS);
    expect((await other.get('/api/v1/me.php', lost.token)).status).toBe(200);
    await restore();
    laterBy(MINUTE_MS);
    for (const panel of [one, other]) expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    for (const panel of [one, other])
      expect(older(panel)).toMatchObject([{ level: 'error', fields: { known_entry: 2 } }]);
    expect(events.filter((event) => (event as { type: string }).type === 'database_older')).toHaveLength(1);
    expect(await historyCheck(other, token)).toMatchObject({ status: 'fail' });
    laterBy(MINUTE_MS);
    expect((await one.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(one)).toHaveLength(1);
  });

  test('is noticed although the ids were given out again', async () => {
    const panel = await start();
    const { token } = await create(panel);
    const restore = await dumpTables(database);
    await create(panel);
    await restore();
    // The next entries get the ids of those that are lost, a second later.
    await database.knex('panel_api_audit_log').update({ at: 1 });
    const again = await start();
    await create(again);
    await create(again);
    await database.knex('panel_api_audit_log').where('id', '>', 1).increment('at', 5);
    laterBy(MINUTE_MS);
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(panel)).toHaveLength(1);
  });

  test('serves no token if the setting says so, in no process and after no restart, until it is dealt with', async () => {
    const one = await start();
    await one.api.settings.change({ afterRestore: 'refuse' }, AUTHOR);
    const { token } = await create(one);
    const restore = await dumpTables(database);
    await create(one);
    await restore();
    laterBy(MINUTE_MS);
    await one.get('/api/v1/me.php', token);
    for (const panel of [one, await start()]) {
      const { status, body } = await panel.get('/api/v1/me.php', token);
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
    }
    const { restores } = installationOf(one.api);
    await restores.carryOut(await restores.plan({ since: 1 }), AUTHOR);
    for (const panel of [one, await start()])
      expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    laterBy(MINUTE_MS);
    expect((await one.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(one)).toHaveLength(1);
  });

  test('is noticed at the start by the journal, and not without one', async () => {
    const journal = join(runDirectory(), `journal-${engine}-${process.pid}`);
    const panel = await start({ journal });
    const { token } = await create(panel);
    const restore = await dumpTables(database);
    await create(panel);
    await until(() => existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length >= 4);
    expect(statSync(journal).mode & 0o777).toBe(0o600);
    // A line that was cut hides no other one.
    writeFileSync(journal, '{"message":"panel-api audit","inst', { flag: 'a' });
    await restore();
    const unaware = await start();
    expect((await unaware.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(unaware)).toHaveLength(0);
    const aware = await start({ journal });
    expect((await aware.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(aware)).toHaveLength(1);
    const { restores } = installationOf(aware.api);
    const plan = await restores.plan({});
    expect(plan).toMatchObject({ lost: [{ action: 'token.created' }], unread: 1 });
    await restores.carryOut(plan, AUTHOR);
    const later = await start({ journal });
    expect((await later.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(later)).toHaveLength(0);
  });

  test('is in the log of a process that starts after newer entries were written to the journal', async () => {
    const journal = join(runDirectory(), `told-${engine}-${process.pid}`);
    const panel = await start({ journal });
    const { token } = await create(panel);
    const restore = await dumpTables(database);
    await create(panel);
    await restore();
    // A restore takes longer than a second.
    await database.knex('panel_api_audit_log').decrement('at', 5);
    laterBy(MINUTE_MS);
    await panel.get('/api/v1/me.php', token);
    await create(panel);
    const later = await start({ journal });
    expect((await later.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(later)).toHaveLength(1);
  });

  test('is not one whose clock was set back', async () => {
    const panel = await start();
    const { token } = await create(panel);
    laterBy(MINUTE_MS);
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    await database.knex('panel_api_audit_log').insert({
      at: 1000,
      action: 'token.created',
      actor: 'late',
      origin: 'panel',
      details: '{}',
    });
    laterBy(MINUTE_MS);
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    laterBy(MINUTE_MS);
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    expect(older(panel)).toHaveLength(0);
  });
});

describeEachEngine('The log of a panel', (engine) => {
  test('has a line for each change, also of the command, which has no log', async () => {
    const database = await freshDatabase(engine);
    const panel = await startPanel({ db: database.knex });
    await panel.api.settings.enable(AUTHOR);
    const command = createInstallation({ db: database.knex, logger: recordingLogger().logger }, operations);
    const { record } = await command.tokens.create(
      { name: 'command', scopes: ['*'], expiresAt: null },
      { actor: 'anna', origin: 'cli' },
    );
    await panel.api.tokens.revoke(record.id, AUTHOR);
    const lines = () => panel.log.filter(({ message }) => message === 'panel-api audit');
    expect(lines().map(({ fields }) => fields.action)).toEqual(['api.enabled', 'token.revoked']);
    laterBy(MINUTE_MS);
    await panel.api.tokens.list();
    await until(() => lines().length === 3);
    expect(lines().at(-1)).toMatchObject({
      level: 'info',
      fields: { action: 'token.created', actor: 'anna', token_id: record.id, token_prefix: record.prefix },
    });
    expect(JSON.stringify(lines())).not.toMatch(/hash/);
  });
});

test('A database that was set back is noticed a minute later if storing that fails', async () => {
  const database = await freshDatabase('sqlite');
  const panel = await startPanel({ db: database.knex });
  const token = await panel.token();
  const restore = await dumpTables(database);
  await panel.token();
  await restore();
  await database.knex.raw(
    "CREATE TRIGGER refused BEFORE INSERT ON panel_api_settings BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  const said = () =>
    panel.log.map(({ message }) => message).filter((message) => !message.endsWith('request'));
  laterBy(MINUTE_MS);
  expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
  expect(said()).toContain('panel-api history not compared');
  await database.knex.raw('DROP TRIGGER refused');
  laterBy(MINUTE_MS);
  expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
  expect(said()).toContain('panel-api database is older than known');
});

describeEachEngine('A database under another name', (engine) => {
  test('serves no token until an administrator says whether it is a copy', async () => {
    const { knex: db } = await freshDatabase(engine);
    const original = await startPanel({ db, installation: 'panel.example' });
    const { token } = await original.api.tokens.create(
      { name: 'test', scopes: ['*'], expiresAt: null },
      AUTHOR,
    );
    expect((await original.get('/api/v1/me.php', token)).status).toBe(200);
    const copy = await startPanel({ db, installation: () => 'staging.example' });
    const { status, body } = await copy.get('/api/v1/me.php', token);
    expect([status, body.error.code]).toEqual([503, 'api_disabled']);
    expect(copy.log).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'panel-api database of another installation' }),
    );
    const { restores } = installationOf(copy.api);
    expect(await restores.otherOwner()).toBe('panel.example');
    await restores.acceptMove(AUTHOR);
    laterBy(MINUTE_MS);
    expect((await copy.get('/api/v1/me.php', token)).status).toBe(200);
    expect((await original.get('/api/v1/me.php', token)).status).toBe(503);
    const last = installationOf(original.api).restores;
    const [before] = await db('panel_api_settings').where({ name: 'installation_id' });
    expect(await last.makeCopy(AUTHOR)).toBe(1);
    // A log that has the lines of both must not end the tokens of the original.
    const revoked = original.log.filter(({ fields }) => fields.action === 'token.revoked');
    expect(revoked.map(({ fields }) => fields.installation === before.value)).toEqual([false]);
    expect((await original.get('/api/v1/me.php', token)).status).toBe(401);
  });
});
