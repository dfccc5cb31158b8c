import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
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
const AUDIT = 'panel_api_audit_log';
const SETTINGS = 'panel_api_settings';

describeEachEngine('A restore', (engine) => {
  let database: TestDatabase;
  const start = async (options: Partial<PanelApiOptions> = {}) => {
    const db = engine === 'sqlite' ? database.knex : openHandle(handleSettings(database));
    return startPanel({ db, ...options });
  };
  const create = async ({ api }: TestPanel, changes = {}) =>
    api.tokens.create(
      { name: 'test', scopes: ['profile.read', 'email.read'], expiresAt: null, ...changes },
      AUTHOR,
    );
  const status = async (panel: TestPanel, token: string) => (await panel.get('/api/v1/me.php', token)).status;
  const afterAMinute = async (panel: TestPanel, token: string) => {
    laterBy(MINUTE_MS);
    return status(panel, token);
  };
  const restoresOf = (panel: TestPanel) => installationOf(panel.api).restores;
  const older = ({ log }: TestPanel) =>
    log.filter(({ message }) => message === 'panel-api database is older than known');
  const lines = (...panels: readonly TestPanel[]) =>
    panels
      .flatMap(({ log }) => log.filter(({ message }) => message === 'panel-api audit'))
      .map(({ message, fields }) => JSON.stringify({ message, ...fields }));

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  test('is noticed, and requests are served, if a table was missing for a moment', async () => {
    const panel = await start();
    const { token } = await create(panel);
    const restore = await dumpTables(database);
    await create(panel);
    await database.knex.schema.renameTable(AUDIT, 'away');
    await afterAMinute(panel, token);
    await database.knex.schema.renameTable('away', AUDIT);
    expect(await afterAMinute(panel, token)).toBe(200);
    expect(await restoresOf(panel).lost()).toBeNull();
    await restore();
    expect(await afterAMinute(panel, token)).toBe(200);
    expect(await restoresOf(panel).lost()).toMatchObject({ known: { entry: 2 } });
  });

  test('stays noticed if the table of the settings is restored after that', async () => {
    const panel = await start();
    const { token } = await create(panel);
    const settings = await database.knex(SETTINGS).select();
    const restore = await dumpTables(database);
    await create(panel);
    await restore();
    await afterAMinute(panel, token);
    await database.knex(SETTINGS).delete();
    await database.knex(SETTINGS).insert(settings);
    await afterAMinute(panel, token);
    expect(await restoresOf(panel).lost()).not.toBeNull();
  });

  test('is noticed by a process that has written more entries since than were lost', async () => {
    const panel = await start();
    const { token } = await create(panel);
    const revoked = await create(panel);
    const restore = await dumpTables(database);
    await panel.api.tokens.revoke(revoked.record.id, AUTHOR);
    await afterAMinute(panel, token);
    await restore();
    await create(panel);
    await create(panel);
    // A restore takes longer than a second.
    await database.knex(AUDIT).where('id', '>', 2).increment('at', 5);
    await afterAMinute(panel, token);
    await afterAMinute(panel, token);
    expect(await restoresOf(panel).lost()).not.toBeNull();
  });

  test('is noticed although the clock was set back after an earlier one was dealt with', async () => {
    const [panel, other] = [await start(), await start()];
    const { token, record } = await create(panel);
    await restoresOf(other).carryOut(await restoresOf(other).plan({ since: 1 }), AUTHOR);
    await database.knex(AUDIT).where({ action: 'database.restored' }).increment('at', 3600);
    await afterAMinute(panel, token);
    const restore = await dumpTables(database);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    await afterAMinute(panel, token);
    await restore();
    await afterAMinute(panel, token);
    expect(older(panel)).toHaveLength(1);
  });

  test('is noticed although the dump has the entry of an earlier one that was dealt with', async () => {
    const panel = await start();
    const { token } = await create(panel);
    await restoresOf(panel).carryOut(await restoresOf(panel).plan({ since: 1 }), AUTHOR);
    await afterAMinute(panel, token);
    const restore = await dumpTables(database);
    await create(panel);
    await restore();
    await afterAMinute(panel, token);
    expect(older(panel)).toHaveLength(1);
  });

  test('is not noticed again if it was dealt with by a clock that is behind', async () => {
    const [panel, idle] = [await start(), await start()];
    const { token } = await create(panel);
    const restore = await dumpTables(database);
    await create(panel);
    await afterAMinute(idle, token);
    await restore();
    await restoresOf(panel).carryOut(await restoresOf(panel).plan({ lines: lines(panel) }), AUTHOR);
    await database.knex(AUDIT).where({ action: 'database.restored' }).decrement('at', 3600);
    await afterAMinute(idle, token);
    expect(older(idle)).toEqual([]);
  });

  test('is not noticed if the tables were removed and created again', async () => {
    const panel = await start();
    const { token } = await create(panel);
    await afterAMinute(panel, token);
    const other = createInstallation({ db: database.knex, logger: recordingLogger().logger }, operations);
    await other.migrations.down();
    await other.migrations.up();
    await afterAMinute(panel, token);
    expect(older(panel)).toEqual([]);
  });

  test('is told although an earlier one is not dealt with', async () => {
    const events: unknown[] = [];
    const panel = await start({ onTokenEvent: (event) => events.push(event) });
    const { token } = await create(panel);
    const lost = { newest: null, known: { entry: 1, at: 1 }, noticed: 'earlier' };
    const row = { name: 'lost_history', value: JSON.stringify(lost), updated_at: 1, updated_by: 'test' };
    await database.knex(SETTINGS).insert(row);
    await afterAMinute(panel, token);
    const restore = await dumpTables(database);
    await create(panel);
    await afterAMinute(panel, token);
    await restore();
    await afterAMinute(panel, token);
    expect(events).toContainEqual(expect.objectContaining({ type: 'database_older' }));
  });

  test('is noticed at the start although an earlier one had lost more ids', async () => {
    const journal = join(runDirectory(), `attacked-${engine}-${process.pid}`);
    const panel = await start({ journal });
    const { token, record } = await create(panel);
    const entry = JSON.parse(lines(panel)[0]!);
    writeFileSync(journal, `${JSON.stringify({ ...entry, entry: 5000 })}\n`);
    await restoresOf(panel).carryOut(await restoresOf(panel).plan({ since: 1 }), AUTHOR);
    const restore = await dumpTables(database);
    const { length } = lines(panel);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    await until(() => lines(panel).length > length);
    await restore();
    const again = await start({ journal });
    await status(again, token);
    expect(older(again)).toHaveLength(1);
  });

  test('is dealt with by the last rights, also if the clock was set back between two changes', async () => {
    const panel = await start();
    const { record } = await create(panel);
    const restore = await dumpTables(database);
    const wide = ['email.read', 'profile.read', 'domains.read'];
    await panel.api.tokens.update(record.id, { scopes: wide }, AUTHOR);
    await panel.api.tokens.update(record.id, { scopes: ['email.read'] }, AUTHOR);
    await restore();
    const [first, second, last] = lines(panel).map((line) => JSON.parse(line));
    const log = [first, second, { ...last, at: last.at - 3600 }].map((line) => JSON.stringify(line));
    await restoresOf(panel).carryOut(await restoresOf(panel).plan({ lines: log }), AUTHOR);
    expect((await panel.api.tokens.get(record.id))?.scopes).toEqual(['email.read']);
  });

  test('is not planned by a change that may never have been stored', async () => {
    const panel = await start();
    await create(panel);
    const line = JSON.parse(lines(panel)[0]!);
    const details = { scopes: { from: ['email.read', 'profile.read'], to: ['email.read'] } };
    const uncertain = { ...line, entry: 2, action: 'token.changed', uncertain: true, details };
    uncertain.rights.scopes = 'email.read';
    const log = [...lines(panel), JSON.stringify(uncertain)];
    expect((await restoresOf(panel).plan({ lines: log })).changes).toEqual([]);
  });

  test.each([
    ['no rights', { rights: null }],
    ['a huge id of a token', { token_id: 2 ** 31 - 1 }],
    ['a huge id of an entry', { entry: Number.MAX_SAFE_INTEGER }],
    ['a negative id', { entry: -5 }],
  ])('takes a line with %s for unreadable', async (_, change) => {
    const panel = await start();
    await create(panel);
    const line = JSON.parse(lines(panel)[0]!);
    const log = [...lines(panel), JSON.stringify({ ...line, entry: 50, ...change })];
    const plan = await restoresOf(panel).plan({ lines: log });
    expect(plan).toMatchObject({ lost: [], unread: 1 });
    await restoresOf(panel).carryOut(plan, AUTHOR);
    expect((await create(panel)).record.id).toBeLessThan(1000);
  });

  test('is dealt with although 12,000 entries with gaps between their ids were lost', async () => {
    const panel = await start();
    await create(panel);
    const line = {
      ...JSON.parse(lines(panel)[0]!),
      action: 'lists.shown',
      token_id: null,
      rights: undefined,
    };
    const log = Array.from({ length: 12_000 }, (_, index) =>
      JSON.stringify({ ...line, entry: 1_000_001 + 3 * index }),
    );
    const restores = restoresOf(panel);
    await restores.carryOut(await restores.plan({ lines: log }), AUTHOR);
    expect((await restores.plan({ lines: log })).lost).toEqual([]);
  });

  test('of which a process keeps a journal in a pipe lets no request wait', async () => {
    const { token } = await create(await start());
    const journal = join(runDirectory(), `pipe-${engine}-${process.pid}`);
    execFileSync('mkfifo', [journal]);
    const panel = await start({ journal });
    const patience = new Promise((resolve) => setTimeout(resolve, 10_000));
    const answered = await Promise.race([status(panel, token), patience]);
    // It lets a process that waits go on, and does not wait itself.
    closeSync(openSync(journal, 'r+'));
    expect(answered).toBe(200);
  });
});

describeEachEngine('A database that is no copy', (engine) => {
  test('does not become one by an answer that comes too late', async () => {
    const { knex: db } = await freshDatabase(engine);
    const panel = await startPanel({ db, installation: 'panel.example' });
    const token = await panel.token();
    const moved = await startPanel({ db, installation: 'moved.example' });
    const { restores } = installationOf(moved.api);
    await panel.get('/api/v1/me.php', token);
    await restores.acceptMove(AUTHOR);
    await restores.makeCopy(AUTHOR).catch(() => undefined);
    expect((await moved.get('/api/v1/me.php', token)).status).toBe(200);
  });
});
