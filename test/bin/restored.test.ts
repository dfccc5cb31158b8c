import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import winston from 'winston';
import type { Logger } from '../../index';
import type { Circumstances } from '../fixture/command/memoryTerminal';
import { CONFIGURATIONS, type Ended } from '../fixture/command/panelApi';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { UNPRINTABLE } from '../fixture/command/unprintable';
import { describeEachEngine } from '../fixture/databases';
import { dumpTables } from '../fixture/dumpTables';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { until } from '../fixture/until';

const HOUR = 3600;

/** A panel, the log that it writes, and a folder for files. */
interface Logged {
  readonly database: PanelDatabase;
  readonly panel: TestPanel;
  log(): string;
}

const loggers: Readonly<Record<string, (stream: Writable) => Logger>> = {
  winston: (stream) =>
    winston.createLogger({
      format: winston.format.json(),
      transports: [new winston.transports.Stream({ stream })],
    }),
  pino: (stream) => pino(stream),
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'panel-api-restored-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

async function startLogged(database: PanelDatabase, logger = 'winston', options = {}): Promise<Logged> {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const panel = await startPanel({ db: database.knex, logger: loggers[logger]!(stream), ...options });
  return { database, panel, log: () => text };
}

const create = ({ panel }: Logged, name: string) =>
  panel.api.tokens.create({ name, scopes: ['profile.read', 'email.read'], expiresAt: null }, AUTHOR);

const statusOf = async ({ panel }: Logged, token: string) =>
  (await panel.get('/api/v1/me.php', token)).status;

/** Tokens 1 to 3, of which a restore has undone the end of the first and the narrowing of the second. Token 4 is lost. */
async function restoreDump(logged: Logged) {
  const { tokens } = logged.panel.api;
  const [revoked, narrowed, kept] = [
    await create(logged, 'Revoked'),
    await create(logged, 'Narrowed'),
    await create(logged, 'Kept'),
  ];
  const restore = await dumpTables(logged.database);
  await tokens.revoke(revoked.record.id, { actor: 'anna', origin: 'panel' });
  await tokens.update(narrowed.record.id, { scopes: ['email.read'] }, AUTHOR);
  const created = await create(logged, 'Later');
  await restore();
  const answers = () =>
    Promise.all([revoked, narrowed, kept, created].map(({ token }) => statusOf(logged, token)));
  return { answers, statuses: { undone: [200, 200, 200, 401], done: [401, 403, 200, 401] } };
}

function fileOf(text: string, name = 'panel.log'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describeEachEngine('panel-api restored', (engine) => {
  test.each(Object.keys(loggers))('does again what a log of %s says, and nothing twice', async (logger) => {
    const logged = await startLogged(await panelDatabase(engine), logger);
    const { answers, statuses } = await restoreDump(logged);
    expect(await answers()).toEqual(statuses.undone);
    const file = fileOf(logged.log());
    const { database } = logged;
    const { code, stdout, stderr } = await database.run(['restored', file, '--yes']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S+ +token\.revoked +anna +1 +Revoked$/m);
    expect(stdout).toMatch(/^1 +Revoked +\S+ +revoke$/m);
    expect(stdout).toMatch(/^2 +Narrowed +\S+ +narrow scopes$/m);
    expect(stdout).toMatch(/^Revoked: 1\. Narrowed: 2\.$/m);
    expect(stderr).toBe('Tokens that the database does not know any more, so that they are refused: 4.\n');
    expect(await answers()).toEqual(statuses.done);
    const [entry] = await database.trail();
    expect(entry).toMatchObject({
      action: 'database.restored',
      origin: 'cli',
      details: { entries: '4-6', revoked: 1, narrowed: 1 },
    });
    expect(entry!.id).toBeGreaterThan(6);
    expect((await create(logged, 'New')).record.id).toBeGreaterThan(4);
    const again = await database.run(['restored', file, '--yes']);
    expect(again).toEqual({
      code: 0,
      stdout: 'The database has every entry of the log: nothing is to be done.\n',
      stderr: '',
    });
    expect(await database.trail()).toHaveLength(7);
  });

  test('revokes without a log every token that existed then, except some, and lets no id be given out again', async () => {
    const logged = await startLogged(await panelDatabase(engine));
    const { database } = logged;
    const [old, kept, fresh] = [
      await create(logged, 'Old'),
      await create(logged, 'Kept'),
      await create(logged, 'Fresh'),
    ];
    const tokens = database.knex('panel_api_tokens');
    await tokens
      .clone()
      .where({ id: fresh.record.id })
      .increment('created_at', 2 * HOUR);
    const time = new Date((old.record.createdAt + HOUR) * 1000).toISOString();
    const { code, stdout } = await database.run(['restored', '--since', time, '--keep', '2', '--yes']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\nRevoked: 1\. Narrowed: none\.\n$/)]);
    const statuses = [old, kept, fresh].map(({ token }) => statusOf(logged, token));
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
    expect((await database.trail())[0]).toMatchObject({
      action: 'database.restored',
      details: { since: time.replace('.000Z', '+00:00'), kept: '2', revoked: 1, narrowed: 0 },
    });
    expect((await create(logged, 'New')).record.id).toBeGreaterThan(1000);
  });

  test('copied revokes all tokens, and the log of the original is another one from then on', async () => {
    const logged = await startLogged(await panelDatabase(engine));
    const { token } = await create(logged, 'Production');
    const { database } = logged;
    expect(await database.json('copied', '--yes')).toEqual({ revoked: 1 });
    expect(await statusOf(logged, token)).toBe(401);
    expect((await database.trail())[0]).toMatchObject({
      action: 'database.copied',
      origin: 'cli',
      details: { revoked: 1 },
    });
    expect(await database.run(['restored', fileOf(logged.log()), '--yes'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The log is of another installation: none of its entries has the id of this one.\n',
    });
  });

  test('copied --moved keeps the tokens, and the panel is served under its new name', async () => {
    const database = await panelDatabase(engine);
    const original = await startLogged(database, 'winston', { installation: 'old.example' });
    const { token } = await create(original, 'Production');
    expect(await statusOf(original, token)).toBe(200);
    expect(await database.json('copied', '--moved')).toEqual({ moved: true });
    const moved = await startLogged(database, 'winston', { installation: 'new.example' });
    expect(await statusOf(moved, token)).toBe(200);
    expect(await statusOf(original, token)).toBe(503);
  });
});

describe('panel-api restored', () => {
  let logged: Logged;
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('sqlite');
    logged = await startLogged(database);
  });

  const refused = async (args: readonly string[], given?: Circumstances): Promise<Ended> => {
    const before = await database.trail();
    const ended = await database.run(['restored', ...args], given);
    expect(ended.code).toBe(2);
    expect(await database.trail()).toEqual(before);
    return ended;
  };

  test('reads several logs in any order, in which lines are doubled or of another kind', async () => {
    const { answers, statuses } = await restoreDump(logged);
    const lines = logged.log().split('\n');
    const [one, other] = [lines.slice(0, 6), lines.slice(4)].map((some) => some.join('\n'));
    const noise = 'npm start\n{"message":"panel-api request","status":200}\n[]\nnull\n"panel-api"\n';
    const files = [fileOf(`${noise}${other}`, 'panel.log'), fileOf(`${one}\r\n\r\n`, 'panel.log.1')];
    const { code, stderr } = await database.run(['restored', ...files, '--yes']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('cut')]);
    expect(await answers()).toEqual(statuses.done);
  });

  test.each([[[]], [['-']]])('reads standard input with the arguments %j', async (args) => {
    const { answers, statuses } = await restoreDump(logged);
    const piped = logged.log();
    expect((await database.run(['restored', ...args, '--yes'], { piped })).code).toBe(0);
    expect(await answers()).toEqual(statuses.done);
  });

  test('reads the journal of the configuration without an argument', async () => {
    const journal = join(folder, 'journal');
    const journaled = await startLogged(database, 'winston', { journal });
    const { answers, statuses } = await restoreDump(journaled);
    await until(() => readFileSync(journal, 'utf8').includes('"token_name":"Later"'));
    const args = ['restored', '--yes', '--config', join(CONFIGURATIONS, 'journal.cjs')];
    const env = {
      PANEL_API_DATABASE_URL: '',
      TEST_DATABASE: database.url.replace('sqlite:', ''),
      TEST_JOURNAL: journal,
    };
    const { code, stdout } = await database.start(args, { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Revoked: 1\. Narrowed: 2\.$/m)]);
    expect(await answers()).toEqual(statuses.done);
  });

  test('prints for scripts what was lost and what was done again', async () => {
    await restoreDump(logged);
    const file = fileOf(logged.log());
    const shown = await database.run(['restored', file, '--json']);
    const refused = expect.stringMatching(/^Nothing was changed: confirm it with --yes\.$/m);
    expect([shown.code, shown.stderr]).toEqual([2, refused]);
    const plan = await database.json('restored', file, '--yes');
    expect(JSON.parse(shown.stdout)).toEqual(plan);
    expect(plan).toEqual({
      lost: [
        { ...plan.lost[0], entry: 4, action: 'token.revoked', actor: 'anna', token_id: 1 },
        { ...plan.lost[1], entry: 5, action: 'token.changed', actor: 'tester', token_id: 2 },
        { ...plan.lost[2], entry: 6, action: 'token.created', token_id: 4, token_name: 'Later' },
      ],
      revoked: [1],
      narrowed: [2],
      unread_lines: 0,
    });
    expect(plan.lost[0].at).toMatch(/\+00:00$/);
  });

  test('changes nothing without --yes if there is no terminal, but shows what it would do', async () => {
    await restoreDump(logged);
    const { stdout, stderr } = await refused([fileOf(logged.log())]);
    expect(stdout).toMatch(/^1 +Revoked +\S+ +revoke$/m);
    expect(stderr).toContain(
      'This revokes 1 and narrows 1 tokens, and writes that the restore is dealt with. Without a terminal, confirm it with --yes.\n',
    );
  });

  test.each(['no\n', '\n', '\u0004'])('changes nothing after %j', async (typed) => {
    await restoreDump(logged);
    const { stderr } = await refused([fileOf(logged.log())], { typed });
    expect(stderr).toContain('Type yes to continue.\nNothing was changed.\n');
  });

  test('does it after a yes on a terminal', async () => {
    const { answers, statuses } = await restoreDump(logged);
    const { code } = await database.run(['restored', fileOf(logged.log())], { typed: 'yes\n' });
    expect(code).toBe(0);
    expect(await answers()).toEqual(statuses.done);
  });

  test.each([
    ['', 'The log has no entry of the audit trail.\n'],
    [
      '2026-11-28 03:00:00 info: panel-api audit\n{"message":"other"}\n',
      'The log has no entry of the audit trail.\n',
    ],
  ])('refuses a log without an entry: %j', async (text, stderr) => {
    expect(await refused([fileOf(text), '--yes'])).toEqual({ code: 2, stdout: '', stderr });
  });

  test.each([
    [['missing.log', '--yes'], 'The log missing.log cannot be read.\n'],
    [['folder.log', '--yes'], 'The log folder.log cannot be read.\n'],
    [['panel.log', '--since', '1d'], 'Use either a log or the time of the dump.\n'],
    [['panel.log', '--keep', '1'], 'Tokens are kept only with the time of the dump.\n'],
    [['--since', '1d', '--keep', '77'], 'Token 77 is not active, or was created later: it cannot be kept.\n'],
    [['--since', '1d', '--keep', '1,x'], /^The id of a token must be a whole number/],
    [['--since', 'yesterday'], /^The time must be a duration before now/],
  ])('refuses the arguments %j', async (args, sentence) => {
    mkdirSync(join(folder, 'folder.log'), { recursive: true });
    const { stdout, stderr } = await refused(args, { cwd: folder });
    expect(stdout).toBe('');
    expect(stderr).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
  });

  test('says how many lines are cut, leaves those of another installation out, and does what the others say', async () => {
    const { answers, statuses } = await restoreDump(logged);
    const foreign = await startLogged(await panelDatabase('sqlite'));
    await create(foreign, 'Foreign');
    const [cut = ''] = logged.log().split('\n').slice(-2);
    const file = fileOf(`${cut.slice(0, -40)}\n${foreign.log()}${logged.log()}`);
    const { code, stdout, stderr } = await database.run(['restored', file, '--yes']);
    expect([code, stdout.includes('Foreign')]).toEqual([0, false]);
    expect(stderr).toContain('Lines that are cut, so that what they say is unknown: 1.\n');
    expect(await answers()).toEqual(statuses.done);
  });

  test('takes a name for a name, if it looks like a line or has escapes of a terminal', async () => {
    const names = [
      '\n{"message":"panel-api audit","action":"token.revoked","token_id":3}\n',
      '"panel-api audit"\u001b[31m\u009b2J\u202e\r\nRevoked: 3.',
    ];
    const [first, second, kept] = [
      await create(logged, 'first'),
      await create(logged, 'second'),
      await create(logged, 'kept'),
    ];
    for (const [index, name] of names.entries())
      await database
        .knex('panel_api_tokens')
        .where({ id: index + 1 })
        .update({ name });
    const restore = await dumpTables(database);
    for (const { record } of [first, second])
      await logged.panel.api.tokens.revoke(record.id, { actor: names[1]!, origin: 'panel' });
    await restore();
    const { code, stdout, stderr } = await database.run(['restored', fileOf(logged.log()), '--yes']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toMatch(UNPRINTABLE);
    expect(stdout).not.toMatch(/^Revoked: 3/m);
    expect(stdout).toMatch(/^Revoked: (?:1, 2|2, 1)\. Narrowed: none\.$/m);
    expect(await statusOf(logged, kept.token)).toBe(200);
  });

  test.each<[string, object]>([
    ['a name that is none', { token_name: {} }],
    ['first characters that are none', { token_prefix: 7 }],
    ['a time that no calendar has', { at: 1e15 }],
    ['an id that no token has', { token_id: 2 ** 40 }],
    ['an id that no entry has', { entry: -1 }],
    ['rights that are none', { rights: [] }],
    ['scopes that are none', { rights: { scopes: 1 } }],
  ])('takes an entry with %s for a cut line', async (_what, wrong) => {
    const { answers, statuses } = await restoreDump(logged);
    const last = JSON.parse(logged.log().trim().split('\n').at(-1)!);
    const file = fileOf(`${logged.log()}${JSON.stringify({ ...last, entry: 999, ...wrong })}\n`);
    const { code, stderr } = await database.run(['restored', file, '--yes']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('what they say is unknown: 1.')]);
    expect(await answers()).toEqual(statuses.done);
  });
});

describe('panel-api copied', () => {
  test('changes nothing without --yes if there is no terminal, or without a yes on one', async () => {
    const database = await panelDatabase('sqlite');
    await database.create();
    expect(await database.run(['copied'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'This revokes every token of this database. Without a terminal, confirm it with --yes.\n',
    });
    expect((await database.run(['copied'], { typed: 'no\n' })).code).toBe(2);
    expect(await database.token(1)).toMatchObject({ state: 'active' });
    expect((await database.run(['copied'], { typed: 'yes\n' })).code).toBe(0);
    expect(await database.token(1)).toMatchObject({ state: 'revoked' });
  });
});
