import type { Knex } from 'knex';
import type { PanelApiOptions, Sources } from '../../index';
import { installationOf } from '../../middleware/PanelApi';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase, isMysql, openHandle, type TestDatabase } from '../fixture/databases';
import { expectAllDone, LISTS } from '../fixture/expectAllDone';
import { OWN_SWITCH } from '../fixture/ownSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../fixture/panelTables';
import { Page } from './Page';

const page = new Page('docs/how-to/database-rights.md');

const ENGINES = {
  mariadb: { client: 'mysql2', sql: 'sql mariadb', refusal: /denied/, quote: '`', host: "@'%'" },
  postgresql: {
    client: 'pg',
    sql: 'sql postgres',
    refusal: /permission denied|must be owner/,
    quote: '"',
    host: '',
  },
} as const;

/** Grants with more of them before the last. */
function withMore(grants: string, more: readonly string[]): string {
  const lines = grants.trimEnd().split('\n');
  return lines.toSpliced(-1, 0, ...more.map((one) => one.trimEnd())).join('\n');
}

describe.each(['mariadb', 'postgresql'] as const)('The database user of the page (%s)', (engine) => {
  const { client, sql, refusal, quote, host } = ENGINES[engine];
  const blocksOf = (info: string) => page.blocks.filter((one) => one.info === info).map(({ text }) => text);
  const [ownSchema, byTable = '', afterRestore] = blocksOf(sql);
  const tableByTable = engine === 'mariadb' && isMysql ? withMore(byTable, blocksOf('sql mysql')) : byTable;
  let database: TestDatabase;
  /** The user, and the schema of its own. */
  let user: string;

  const run = (statements: string) =>
    statements
      .split(';\n')
      .filter((statement) => statement.trim() !== '')
      .reduce((before, statement) => before.then(() => database.knex.raw(statement)), Promise.resolve());

  /** The page's SQL, with names of this test alone, and with the last grant for every list. */
  function sqlOf(block = ''): string {
    const named = block
      .replace(/\bpanel_api\b/g, user)
      .replace(/\bpanel\./g, `${new URL(database.url).pathname.slice(1)}.`)
      .replaceAll("'127.0.0.1'", "'%'");
    const lines = named.trimEnd().split('\n');
    const last = lines.at(-1) ?? '';
    return [...lines, ...LISTS.map((list) => last.replace('domains', `${quote}${list}${quote}`))].join('\n');
  }

  /** A handle of the user, and on MariaDB in this database. */
  function handleOfUser(name: string): Knex {
    const url = new URL(database.url);
    Object.assign(url, { username: user, password: 'a long password' });
    if (engine === 'mariadb') url.pathname = `/${name}`;
    return openHandle({ client, connection: url.href });
  }

  async function mount(db: Knex, options: Pick<PanelApiOptions, 'migrate' | 'sources'>): Promise<TestPanel> {
    const settings = { ...options.sources?.settings, keys: SHOWN_SETTINGS };
    return startPanel({
      db,
      ...OWN_SWITCH,
      ...options,
      sources: { ...options.sources, settings } as Sources,
    });
  }

  const expectRefused = async (db: Knex, statements: readonly string[]) => {
    for (const statement of statements) {
      const done = db.raw(statement).then(
        () => `allowed: ${statement}`,
        ({ message }) => message,
      );
      expect(await done).toMatch(refusal);
    }
  };

  const onPanel = (prefix: string) => [
    `insert into ${prefix}domains (domain) values ('x')`,
    `update ${prefix}domains set domain = 'x'`,
    `delete from ${prefix}domains`,
    `drop table ${prefix}domains`,
    `select * from ${prefix}secrets`,
  ];

  beforeEach(async () => {
    database = await freshDatabase(engine);
    user = `api_${new URL(database.url).pathname.slice(-12)}`;
    await createFilledTables(database.knex);
    await database.knex.schema.createTable('secrets', (table) => table.increments('id'));
    closeAtEnd(async () => {
      if (engine === 'mariadb') {
        await run(`drop user ${user}@'%';\ndrop database if exists ${user};\n`);
      } else {
        await run(`drop owned by ${user} cascade;\ndrop role ${user};\n`);
      }
    });
  });

  test('can do all that the API does, in a schema of its own, and nothing else', async () => {
    await run(sqlOf(ownSchema));
    const db = handleOfUser(user);
    const schema = new URL(database.url).pathname.slice(1);
    const sources: Sources =
      engine === 'mariadb'
        ? Object.fromEntries(LISTS.map((list) => [list, { table: `${schema}.${list}` }]))
        : {};
    await expectAllDone(await mount(db, { sources }));
    expect(await database.knex.schema.hasTable('panel_api_tokens')).toBe(false);
    const prefix = engine === 'mariadb' ? `${schema}.` : 'public.';
    await expectRefused(db, [...onPanel(prefix), `create table ${prefix}x (id int)`]);
  });

  test('can do all that the API does with rights table by table, and nothing else', async () => {
    const owner = await mount(database.knex, {});
    await owner.api.settings.read();
    await run(sqlOf(tableByTable));
    const db = handleOfUser(new URL(database.url).pathname.slice(1));
    await expectAllDone(await mount(db, { migrate: false }));
    await expectRefused(db, [
      ...onPanel(''),
      'create table x (id int)',
      'drop table panel_api_tokens',
      'delete from panel_api_tokens',
      "update panel_api_audit_log set actor = 'x'",
      'delete from panel_api_audit_log',
      'delete from panel_api_settings',
      'delete from panel_api_rate_limits',
      'delete from panel_api_migrations',
      "insert into panel_api_migrations (name, applied_at) values ('x', 1)",
      "update panel_api_migrations set name = 'x'",
    ]);
  });

  test('can end the tokens after a restore with more rights, and not without them', async () => {
    const owner = await mount(database.knex, {});
    await owner.api.settings.read();
    await run(sqlOf(tableByTable));
    const panel = await mount(handleOfUser(new URL(database.url).pathname.slice(1)), { migrate: false });
    await panel.api.settings.enable(AUTHOR);
    const token = await panel.token();
    const { restores } = installationOf(panel.api);
    const plan = await restores.plan({ since: Math.floor(Date.now() / 1000) });
    await expect(restores.carryOut(plan, AUTHOR)).rejects.toThrow('restore.end');
    await run(sqlOf(afterRestore));
    await restores.carryOut(plan, AUTHOR);
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(401);
    const next = await panel.api.tokens.create({ name: 'next', scopes: ['*'] }, AUTHOR);
    expect(next.record.id).toBeGreaterThan(1000);
    expect(await restores.makeCopy(AUTHOR)).toBe(1);
    await restores.acceptMove(AUTHOR);
  });

  test('reads a view without a right on its table', async () => {
    await run(sqlOf(ownSchema));
    const { knex } = database;
    const list = `${user}.domains`;
    await knex.raw(`revoke select on domains from ${user}${host}`);
    await knex.raw(`create view ${list} as select id, domain, type, ssl_status, status from domains`);
    if (engine === 'postgresql') await knex.raw(`grant select on ${list} to ${user}`);
    const panel = await mount(handleOfUser(user), {});
    await panel.api.settings.enable(AUTHOR);
    const { body } = await panel.get('/api/v1/domains.php', await panel.token());
    expect(body.data.items).toMatchObject([{ domain: 'shop.example' }]);
    expect(body.data.items[0]).not.toHaveProperty('account_id');
  });

  test('meets the statuses of the page if a right is missing', async () => {
    const owner = await mount(database.knex, {});
    await owner.api.settings.read();
    await run(sqlOf(tableByTable));
    const from = `from ${user}${host}`;
    await run(`revoke select on domains ${from}`);
    const panel = await mount(handleOfUser(new URL(database.url).pathname.slice(1)), { migrate: false });
    await panel.api.settings.enable(AUTHOR);
    const token = await panel.token();
    expect((await panel.get('/api/v1/domains.php', token)).body.error.code).toBe('unavailable');
    await run(`revoke update on panel_api_rate_limits ${from}`);
    expect((await panel.get('/api/v1/jobs.php', token)).body.error.code).toBe('unavailable');
    const lines = await panel.requestLines(2);
    expect(lines.at(-1)?.fields).toMatchObject({
      cause: engine === 'mariadb' ? 'ER_TABLEACCESS_DENIED_ERROR' : '42501',
      cause_query: 'limiter.count',
    });
  });
});
