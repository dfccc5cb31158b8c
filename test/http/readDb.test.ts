import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { panelApi } from '../fixture/command/panelApi';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { startPanel, type TestPanel } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { type SectionPanel, startSectionPanel, wordsOf } from '../fixture/section/sectionPanel';
import '../fixture/tryAgain';

const DOMAINS = '/api/v1/domains.php';
const COLUMNS = ['domain', 'type', 'ssl_status', 'status'];

async function createDomains({ knex }: TestDatabase, domain: string): Promise<void> {
  await knex.schema.createTable('domains', (table) => {
    table.increments('id');
    for (const name of COLUMNS) table.string(name);
  });
  await knex('domains').insert({ domain, type: 'primary', ssl_status: 'active', status: 'active' });
}

describeEachEngine('A panel with a second handle for its lists', (engine) => {
  let primary: TestDatabase;
  let replica: TestDatabase;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    [primary, replica] = await Promise.all([freshDatabase(engine), freshDatabase(engine)]);
    await createDomains(primary, 'primary.example');
    await createDomains(replica, 'replica.example');
    panel = await startPanel({
      db: primary.knex,
      readDb: openHandle({ ...handleSettings(replica), pool: { min: 0, max: 4 } }),
      deadlineMs: 1000,
    });
    token = await panel.token();
  });

  test.each([DOMAINS, `${DOMAINS}?limit=1`, `${DOMAINS}?count=status`, `${DOMAINS}?search=replica`])(
    'reads %s with it',
    async (path) => {
      const { status, body } = await panel.get(path, token);
      expect(status).toBe(200);
      const { items, total } = body.data;
      expect(total ?? items.map(({ domain }: { domain: string }) => domain)).toEqual(
        total === undefined ? ['replica.example'] : 1,
      );
    },
  );

  test('keeps all of its own tables on the first', async () => {
    expect(await primary.knex.schema.hasTable('panel_api_tokens')).toBe(true);
    expect(await replica.knex.schema.hasTable('panel_api_tokens')).toBe(false);
  });

  test('is warned by the release audit that the two handles use different schemas', async () => {
    const { body } = await panel.get('/api/v1/release-audit.php', token);
    const checks: readonly { id: string }[] = body.data.checks;
    expect(checks.find(({ id }) => id === 'read_database')).toMatchObject({
      status: 'warn',
      detail: 'The handle readDb uses another database or schema than db.',
    });
  });

  test('is checked by the command with it, and warned of the schemas', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'read-db-'));
    const config = join(directory, 'panel.config.cjs');
    const handle = (database: TestDatabase) =>
      `knex(${JSON.stringify({ useNullAsDefault: true, ...handleSettings(database) })})`;
    await writeFile(
      config,
      `const { knex } = require(${JSON.stringify(require.resolve('knex'))});
       module.exports = { db: ${handle(primary)}, readDb: ${handle(replica)} };`,
      { mode: 0o600 },
    );
    await primary.knex.schema.renameTable('domains', 'elsewhere');
    try {
      const { stdout, stderr } = await panelApi('', ['check', '--json', '--config', config]);
      expect(stderr).toContain('warning: The handle readDb uses another database or schema than db.');
      const findings: readonly { resource: string }[] = JSON.parse(stdout);
      expect(findings.find(({ resource }) => resource === 'domains')).toMatchObject({ rows: 1 });
    } finally {
      await primary.knex.schema.renameTable('elsewhere', 'domains');
      await rm(directory, { recursive: true });
    }
  });

  test('refuses a token that the first handle has revoked, at the next request', async () => {
    const created = await panel.token();
    const [{ id } = { id: 0 }] = (await panel.api.tokens.page({})).tokens;
    await panel.api.tokens.revoke(id, { actor: 'tester', origin: 'panel' });
    expect((await panel.get(DOMAINS, created)).body.error.code).toBe('token_revoked');
  });

  test('answers 503 for lists while it fails, and everything else as before', async () => {
    const readDb = openHandle({ ...handleSettings(replica), pool: { min: 0, max: 1 } });
    const lame = await startPanel({ db: primary.knex, readDb, deadlineMs: 500 });
    const statusOf = async (path: string) =>
      (await fetch(lame.url + path, { headers: { Authorization: `Bearer ${token}` } })).status;
    const held = await readDb.client.acquireConnection();
    try {
      expect(await statusOf(DOMAINS)).toBe(503);
      expect(await statusOf('/api/v1/me.php')).toBe(200);
    } finally {
      await readDb.client.releaseConnection(held);
    }
    expect(await statusOf(DOMAINS)).toBe(200);
  });
});

describe('The API section of a panel with a second handle for its lists', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    const replica = await freshDatabase('sqlite');
    await createFilledTables(replica.knex);
    section = await startSectionPanel('sqlite', { readDb: openHandle(handleSettings(replica)) });
    await replica
      .knex('accounts')
      .insert({ id: 70, username: 'replica', role: 'customer', status: 'active' });
    await section.database.knex('domains').delete();
  });

  test('chooses the account of a token with it', async () => {
    const { text } = await section.get('tokens/accounts.json?search=repl');
    expect(JSON.parse(text)).toMatchObject([{ id: '70', username: 'replica' }]);
  });

  test('counts with it what a new token could read', async () => {
    const { text } = await section.get('tokens/review?name=x&scope=domains.read');
    expect(wordsOf(text)).toMatch(/domains [1-9]/i);
  });
});

test('A second handle of another kind of database is refused at the mount', async () => {
  const [{ knex: db }, { knex: readDb }] = await Promise.all([
    freshDatabase('mariadb'),
    freshDatabase('sqlite'),
  ]);
  await expect(startPanel({ db, readDb })).rejects.toThrow(
    'createPanelApi: the option readDb must be of the same kind of database as db.',
  );
});
