import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import winston from 'winston';
import { parseEntry } from '../../lib/history/loggedEntries';
import { closeAtEnd } from '../fixture/closeAtEnd';
import {
  describeEachEngine,
  engines,
  freshDatabase,
  openHandle,
  type TestDatabase,
} from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { startPanel, type TestPanel } from '../fixture/panel';
import { until } from '../fixture/until';
import { builtCommand } from '../servers/builtCommand';
import { requireProgram } from '../servers/requireProgram';
import { runDirectory } from '../servers/serverUrl';
import { Page } from './Page';
import { textDifference } from './shape';

const page = new Page('docs/how-to/restore-or-copy.md');
const ANNA = { actor: 'anna', origin: 'panel' } as const;
const ME = '/api/v1/me.php';

/** The dump and the restore of each way that the page shows, by their places among its blocks for an engine. */
const ways = [
  ['mariadb', 'the whole database', 'sh mariadb', 0, 1],
  ['mariadb', "the module's tables", 'sh mariadb', 2, 3],
  ['postgresql', 'the whole database', 'sh postgres', 0, 1],
  ['postgresql', "the module's tables", 'sh postgres', 2, 3],
  ['sqlite', 'the database', 'sh sqlite', 0, 1],
  ['sqlite', 'the file', 'sh sqlite', 0, 2],
] as const;

const PROGRAMS = {
  mariadb: ['mariadb-dump', 'mariadb-client'],
  postgresql: ['pg_dump', 'postgresql'],
  sqlite: ['sqlite3', 'sqlite3'],
} as const;

const blocksOf = (info: string) => page.blocks.filter((block) => block.info === info);
const [restored, since, copied] = blocksOf('sh any').map(({ text }) => text);
const [ofRestored, ofCopied] = blocksOf('text').map(({ text }) => text);

/** A directory with the log of the panel, in which the commands of the page find its database. */
class Terminal {
  readonly directory = mkdtempSync(join(runDirectory(), 'restored-'));
  readonly #database: TestDatabase;

  constructor(database: TestDatabase) {
    this.#database = database;
    closeAtEnd(() => rmSync(this.directory, { recursive: true, force: true }));
    const { hostname, port, username, password } = new URL(database.url);
    writeFileSync(
      join(this.directory, '.my.cnf'),
      `[client]\nhost=${hostname}\nport=${port}\nuser=${username}\npassword=${password}\n`,
    );
  }

  /** Runs a block of the page, and returns what it prints. */
  async run(block = ''): Promise<string> {
    const url = new URL(this.#database.url);
    const script = block
      .replaceAll('npx --no -- panel-api', `'${process.execPath}' '${builtCommand()}'`)
      .replaceAll('/srv/panel/panel.sqlite', url.pathname)
      .replace(/(?<=[ =])panel(?=[ )\n])/g, url.pathname.slice(1));
    const env = {
      ...process.env,
      HOME: this.directory,
      PANEL_API_DATABASE_URL: url.href,
      PGHOST: url.hostname,
      PGPORT: url.port,
      PGUSER: url.username,
      PGPASSWORD: url.password,
    };
    const args = ['-c', `exec 2>&1\nset -e -o pipefail\n${script}`];
    const { stdout } = await promisify(execFile)('bash', args, { cwd: this.directory, env });
    return stdout;
  }
}

/** Whether a token is answered by a panel. */
const answer = async (panel: TestPanel, token: string) => (await panel.get(ME, token)).status;

/** Starts a panel that logs to the terminal's directory. */
async function start(database: TestDatabase, { directory }: Terminal) {
  const log = join(directory, 'panel.log');
  const logger = winston.createLogger({ transports: [new winston.transports.File({ filename: log })] });
  const db = openHandle(handleSettings(database));
  return { db, log, panel: await startPanel({ db, logger }) };
}

test.each(ways.filter(([engine]) => engines.includes(engine)))(
  'after a restore on %s (%s), the commands of the page end again what was ended, and keep the rest',
  async (engine, _what, info, dump, restore) => {
    requireProgram(...PROGRAMS[engine]);
    const database = await freshDatabase(engine);
    const terminal = new Terminal(database);
    const first = await start(database, terminal);
    let { panel } = first;
    const { tokens } = panel.api;
    const create = async (name: string) => tokens.create({ name, scopes: ['*'], expiresAt: null }, ANNA);
    const [billing, monitoring, kept] = [
      await create('Billing'),
      await create('Monitoring'),
      await create('Kept'),
    ];
    const [dumped, restoring] = [dump, restore].map((index) => blocksOf(info)[index]?.text);
    await terminal.run(dumped);
    await tokens.revoke(billing.record.id, ANNA);
    await tokens.update(monitoring.record.id, { scopes: ['email.read'] }, ANNA);
    const lost = await create('Backup');
    await until(() => readFileSync(first.log, 'utf8').split('"panel-api audit"').length === 7);
    const isStopped = restoring?.startsWith('rm ');
    if (isStopped) await Promise.all([first.db.destroy(), database.knex.destroy()]);
    await terminal.run(restoring);
    if (isStopped) ({ panel } = await start(database, terminal));
    expect([await answer(panel, billing.token), await answer(panel, lost.token)]).toEqual([200, 401]);
    expect(textDifference(ofRestored ?? '', await terminal.run(restored))).toBeNull();
    expect(await answer(panel, billing.token)).toBe(401);
    expect(await answer(panel, monitoring.token)).toBe(403);
    expect(await answer(panel, kept.token)).toBe(200);
    const next = { name: 'Backup', scopes: ['*'], expiresAt: null };
    expect((await panel.api.tokens.create(next, ANNA)).record.id).toBeGreaterThan(lost.record.id);
  },
);

describeEachEngine('The other commands of the page', (engine) => {
  test('end all tokens of a time but some, and those of a copy', async () => {
    const database = await freshDatabase(engine);
    const terminal = new Terminal(database);
    const { panel } = await start(database, terminal);
    const names = ['one', 'two', 'three'];
    const created = await Promise.all(
      names.map((name) => panel.api.tokens.create({ name, scopes: ['*'], expiresAt: null }, ANNA)),
    );
    const answers = async () => Promise.all(created.map(({ token }) => answer(panel, token)));
    const [, ...kept] = created.map(({ record }) => record.id);
    const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T03:00`;
    const command = since?.replace(/\S+T03:00/, tomorrow).replace('3,7', String(kept));
    // Nothing is typed, so that nothing is changed.
    await expect(terminal.run(command)).rejects.toMatchObject({ code: 2 });
    expect(await answers()).toEqual([200, 200, 200]);
    await terminal.run(command?.replace('\n', ' --yes\n'));
    expect(await answers()).toEqual([401, 200, 200]);
    expect(textDifference(ofCopied ?? '', await terminal.run(copied))).toBeNull();
    expect(await answers()).toEqual([401, 401, 401]);
  });
});

test('the command writes the lines of its changes to the journal', async () => {
  const terminal = new Terminal(await freshDatabase('sqlite'));
  const knex = `require('${require.resolve('knex')}')`;
  const db = "{ client: 'better-sqlite3', connection: { filename: 'panel.sqlite' }, useNullAsDefault: true }";
  const config = `module.exports = { db: ${knex}(${db}), journal: 'panel-api.journal' };\n`;
  writeFileSync(join(terminal.directory, 'panel-api.config.js'), config);
  const command = 'npx --no -- panel-api --config panel-api.config.js';
  await terminal.run(`${command} token create --name Billing --scope '*'\n${command} token revoke 1\n`);
  const journal = readFileSync(join(terminal.directory, 'panel-api.journal'), 'utf8').split('\n');
  expect(journal.flatMap((line) => parseEntry(line)?.action ?? [])).toEqual([
    'token.created',
    'token.revoked',
  ]);
});
