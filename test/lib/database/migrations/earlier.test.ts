import { createInstallation } from '../../../../lib/Installation';
import { operations } from '../../../../routes';
import { engines, freshDatabase, type TestDatabase } from '../../../fixture/databases';
import { EARLIER, writeEarlierTables } from '../../../fixture/migrations/earlierTables';
import { HISTORY } from '../../../fixture/migrations/history';
import { tablesOf } from '../../../fixture/migrations/schemaOf';
import { OWN_SWITCH } from '../../../fixture/ownSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../../../fixture/panel';
import { recordingLogger } from '../../../fixture/recordingLogger';

const ME = '/api/v1/me.php';

/** What each token of the earlier versions is answered, by its name. */
const ANSWERS: Readonly<Record<string, number | string>> = {
  active: 200,
  expiring: 200,
  revoked: 'token_revoked',
  bound: 200,
  limited: 200,
  'at an address': 'ip_not_allowed',
  rotated: 'token_expired',
  successor: 200,
};

describe.each(engines.flatMap((engine) => EARLIER.map((version) => [version, engine] as const)))(
  'After an upgrade of the tables that a version up to migration %s wrote (%s)',
  (version, engine) => {
    let database: TestDatabase;
    let tokens: Readonly<Record<string, string>>;
    let panel: TestPanel;

    beforeEach(async () => {
      database = await freshDatabase(engine);
      tokens = await writeEarlierTables(database, version);
      panel = await startPanel({ db: database.knex, ...OWN_SWITCH });
    });

    test('every token is answered as before, and the API is still on', async () => {
      const seen: Record<string, number | string> = {};
      for (const [name, token] of Object.entries(tokens)) {
        const { status, body } = await panel.get(ME, token);
        seen[name] = body.error?.code ?? status;
      }
      expect(seen).toEqual(Object.fromEntries(Object.keys(tokens).map((name) => [name, ANSWERS[name]])));
      const { body } = await panel.get(ME, tokens.expiring);
      expect(body.data.token).toMatchObject({ name: 'expiring', created_by: 'anna' });
      expect(body.data.token.expires_at).toMatch(/^2036-11-20T/);
      expect((await panel.get('/api/v1/domains.php', tokens.active)).body.error.code).toBe(
        'resource_unavailable',
      );
      expect((await panel.get('/api/v1/email.php', tokens.active)).body.error.code).toBe('scope_missing');
    });

    test('every token can be changed, and the audit trail goes on', async () => {
      const { api } = panel;
      const before = await api.audit.list();
      expect(before.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['api.enabled', 'token.created', 'token.revoked']),
      );
      const [active, expiring] = [await api.tokens.get(1), await api.tokens.get(2)];
      expect([active?.name, expiring?.name]).toEqual(['active', 'expiring']);
      await api.tokens.update(1, { name: 'renamed' }, AUTHOR);
      const rotated = await api.tokens.rotate(2, { graceSeconds: 60 }, AUTHOR);
      const answers = [tokens.active, tokens.expiring, rotated?.token].map((token) => panel.get(ME, token));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
      await api.tokens.revoke(1, AUTHOR);
      expect((await panel.get(ME, tokens.active)).body.error.code).toBe('token_revoked');
      expect((await panel.get(ME, await panel.token({ accountId: 7 }))).body.data.account_id).toBe(7);
      const after = await api.audit.list();
      expect(after.slice(-before.length)).toEqual(before);
      expect(after).toHaveLength(before.length + 5);
      expect((await api.tokens.page()).tokens).toHaveLength(Object.keys(tokens).length + 2);
    });

    test('the history is complete, and the tables can be dropped', async () => {
      await panel.get(ME, tokens.active);
      const { migrations } = createInstallation(
        { db: database.knex, logger: recordingLogger().logger },
        operations,
      );
      expect((await migrations.history()).map(({ name }) => name)).toEqual(HISTORY);
      await migrations.down();
      expect(await tablesOf(database)).toEqual([]);
    });
  },
);
