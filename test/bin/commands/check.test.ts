import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { panelApi } from '../../fixture/command/panelApi';
import { describeEachEngine, freshDatabase, shareOf } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { laterBy } from '../../fixture/laterBy';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

const ESCAPE = '\u001b[31mred\u202e';

/** Sources of a panel of which nearly all are wrong in some way, as its configuration says them. */
const SOURCES = `{
  domains: { table: 'gone' },
  websites: { table: 'good', fields: { domain: 'nome', status: { value: 'active' }, app: 'appp' } },
  jobs: {
    query: (knex) => knex('good as g').leftJoin('good as h', 'g.id', 'h.nix'),
    fields: { id: 'g.id', type: 'g.name', status: 'g.state' },
  },
  databases: {
    query: (knex) => knex('good as g').leftJoin('good as h', 'g.id', 'h.id'),
    fields: { id: 'g.id', name: 'name', engine: 'h.nix' },
  },
  email: {
    table: 'good',
    fields: { address: 'name', type: { value: 'mailbox' }, status: { column: 'state', values: { on: 'active' } } },
  },
  accounts: { table: 'good', fields: { username: 'name' } },
  ssl: {
    query: (knex) => knex('good as g').join('good as h', 'h.id', '<>', 'g.id'),
    fields: { id: 'g.id', common_name: 'g.name', status: 'g.state' },
  },
  cron: { query: fails, fields: { id: 'id', schedule: 'name', enabled: 'state' } },
  settings: false,
  backups: {
    table: 'good',
    fields: { status: { column: 'state', from: () => { throw new RangeError('secret-5512'); } } },
  },
}`;

describeEachEngine('A fault of a source', (engine) => {
  const panels = sourcePanels(engine);
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sources-'));
  });

  afterAll(() => rm(directory, { recursive: true }));

  beforeEach(async () => {
    const rows = ['on', 'on', 'off', ESCAPE, `${'long'.repeat(50)}`, null];
    await panels.table(
      'good',
      { name: 'string', state: 'string' },
      rows.map((state, index) => ({ name: `${index}.example`, state })),
    );
  });

  const FINDINGS: Readonly<Record<string, readonly string[]>> = {
    domains: ['The table gone does not exist.'],
    websites: ['The table good has no column nome (field domain).'],
    jobs: ['The query names a table or column that does not exist'],
    databases: [
      'Several tables of the query have a column name: prefix it with the alias of its table (field name).',
      'The table good has no column nix (field engine).',
    ],
    email: ['Unmapped values', '"off"', '\\u{1b}[31mred\\u{202e}', '…"', '(field status)'],
  };

  const sources = (breaks: () => boolean = () => false) => {
    const fails = (knex: (table: string) => unknown) => {
      if (breaks()) throw new Error('secret-5512');
      return knex('good');
    };
    return runInNewContext(`(${SOURCES})`, { fails });
  };

  test('is named by release-audit.php', async () => {
    const { get } = await panels.start(sources());
    const { body } = await get('release-audit.php');
    for (const [resource, findings] of Object.entries(FINDINGS)) {
      const { status, detail } = body.data.checks.find(
        ({ id }: { id: string }) => id === `source_${resource}`,
      );
      expect([resource, status]).toEqual([resource, resource === 'databases' ? 'fail' : 'warn']);
      for (const finding of findings) expect(detail).toContain(finding);
      expect(detail?.length).toBeLessThan(500);
      expect(detail).not.toContain('database says');
    }
  });

  test('affects no other source in release-audit.php', async () => {
    let broken = false;
    const { inspected } = await panels.start(sources(() => broken));
    const before = await inspected('accounts');
    expect([before.status, (await inspected('cron')).status]).not.toContain('fail');
    broken = true;
    expect(await inspected('accounts')).toEqual(before);
    expect(await inspected('cron')).toMatchObject({ status: 'fail', detail: 'The check failed.' });
    expect(await inspected('settings')).toMatchObject({ status: 'pass' });
  });

  test('is logged once for each change', async () => {
    const { get, panel } = await panels.start({ jobs: { table: 'good' } });
    const warnings = () => panel.log.filter(({ message }) => message.includes('unavailable'));
    for (let time = 0; time < 3; time += 1) await get('jobs.php');
    expect(warnings()).toHaveLength(1);
    await panels.knex.schema.alterTable('good', (table) => table.string('type'));
    laterBy(5000);
    await get('jobs.php');
    await get('jobs.php');
    expect(warnings().map(({ fields }) => fields.missing)).toEqual([
      [
        'The table good has no column type (field type).',
        'The table good has no column status (field status).',
      ],
      ['The table good has no column status (field status).'],
    ]);
  });

  test('is printed by panel-api check, each finding on its own line, even if one source fails', async () => {
    const config = join(directory, `${engine}.cjs`);
    writeFileSync(
      config,
      `let asked = 0;
      const fails = (knex) => { asked += 1; if (asked > 1) throw new Error('secret-5512'); return knex('good'); };
      module.exports = {
        db: require(${JSON.stringify(require.resolve('knex'))})(${JSON.stringify(handleSettings(panels.database))}),
        sources: ${SOURCES},
      };`,
    );
    const { code, stdout, stderr } = await panelApi(panels.database.url, [
      'check',
      '--config',
      config,
      '--json',
    ]);
    expect(code).toBe(1);
    const { stdout: text } = await panelApi(panels.database.url, ['check', '--config', config]);
    expect(text).toMatch(/^ {4}warning: Unmapped values .*\(field status\).* \[unmapped\]$/m);
    // biome-ignore lint/suspicious/noExplicitAny: findings are compared below.
    const found = new Map<string, any>(JSON.parse(stdout).map((finding: any) => [finding.resource, finding]));
    for (const [resource, findings] of Object.entries(FINDINGS)) {
      const { missing, warnings } = found.get(resource);
      const sentences = [...missing, ...warnings.map(({ sentence }: { sentence: string }) => sentence)];
      for (const finding of findings) expect(sentences.join(' ')).toContain(finding);
    }
    expect(found.get('jobs').missing[1]).toMatch(/^The database says: .*nix/);
    expect(found.get('accounts')).toMatchObject({ state: 'served', missing: [] });
    expect(found.get('backups').missing).toEqual([
      expect.stringMatching(
        /^The function of the field status threw an error\. Cause: RangeError at .*\.cjs:/,
      ),
    ]);
    expect(found.get('ssl').missing).toEqual([
      'Two rows of ssl have the same id. The columns of the key must identify each row.',
    ]);
    expect(found.get('cron')).toMatchObject({ state: 'failed', missing: [expect.stringContaining('Error')] });
    expect(stdout + stderr).not.toContain('secret-5512');
  });
});

describeEachEngine('A source that is served may hold', (engine) => {
  const panels = sourcePanels(engine);
  const base = { address: 'name', type: { value: 'mailbox' }, status: { value: 'active' } } as const;
  const rowsOf = (held: object) =>
    Array.from({ length: 12 }, (_, index) => ({ name: `${index}@a.example`, ...held }));

  test.each(
    shareOf(engine, [
      ['a constant', { value: 'actve' }],
      ['a translation', { column: 'name', values: { a: 'actve' }, otherwise: 'active' }],
      ['what is otherwise', { column: 'name', values: { a: 'active' }, otherwise: 'actve' }],
      ['a case', { cases: [{ when: { name: 'a' }, is: 'actve' }], otherwise: 'active' }],
    ] as const),
  )('a word that the API does not know, as %s', async (_, status) => {
    await panels.table('good', { name: 'string' }, rowsOf({}));
    const { inspected } = await panels.start({
      email: { table: 'good', fields: { ...base, status } },
    } as never);
    expect((await inspected('email')).detail).toMatch(
      /^The description of the field status maps to "actve", but the words of the field are active, .*unknown\./,
    );
  });

  test('references of another type than the ids of the list', async () => {
    await panels.table('good', { name: 'string', owner: 'string' }, rowsOf({ owner: '1' }));
    const start = (account_id: object | string) =>
      panels.start({
        email: { table: 'good', fields: { ...base, account_id } },
        accounts: { table: 'good', fields: { username: 'name' } },
      } as never);
    expect((await (await start('owner')).inspected('email')).detail).toBe(
      'The field account_id (column owner) has the type string, but the ids of accounts have the type integer: ' +
        'use the same type for both. `integer: true` reads whole numbers from a text or decimal column.',
    );
    const { inspected } = await start({ column: 'owner', integer: true });
    expect(await inspected('email')).toMatchObject({ status: 'pass' });
  });

  test.each(
    shareOf(engine, [
      ['a time that no form reads', 'last_login_at', { column: 'held' }, 'secret-71', true],
      [
        'a function that returns nothing',
        'last_login_at',
        { column: 'held', from: () => undefined },
        'x',
        true,
      ],
      ['a flag of other words', 'keep_copy', { column: 'held' }, 'si', true],
      ['several columns', 'quota_bytes', { columns: { a: 'held' }, compute: () => undefined }, 'x', true],
      ['a sentinel', 'account_id', { column: 'held', null: '-x' }, '-x', false],
      ['a zero date', 'last_login_at', { column: 'held' }, '0000-00-00 00:00:00', false],
      ['no limit', 'quota_bytes', { column: 'held' }, '-1', false],
      ['blanks', 'last_login_at', { column: 'held' }, ' ', false],
    ] as const),
  )('a field that is null in every row: %s', async (_, field, source, held, isTold) => {
    await panels.table('good', { name: 'string', held: 'string' }, rowsOf({ held }));
    const { inspected } = await panels.start({
      email: { table: 'good', fields: { ...base, [field]: source } },
    } as never);
    const { detail } = await inspected('email');
    if (!isTold) expect(detail).toBeNull();
    else
      expect(detail).toContain(
        `The field ${field} (column held) is null although its column has a value, in 12 of 12 rows with a value`,
      );
  });

  test('keys of settings that no row has', async () => {
    await panels.table('settings', { key: 'string', value: 'string' }, [{ key: 'a', value: 'secret-71' }]);
    const { inspected } = await panels.start({ settings: { keys: ['a', 'b.c'] } });
    expect(await inspected('settings')).toMatchObject({
      status: 'warn',
      detail: 'No row has the key "b.c": correct it in `keys` or remove it.',
    });
  });

  test('no column for the inputs of a derived field', async () => {
    await panels.table('settings', { key: 'string', wert: 'string' });
    const { inspected } = await panels.start({ settings: { keys: ['a'] } });
    expect((await inspected('settings')).detail).toBe(
      'The table settings has no column value (field value).',
    );
  });

  test('a function that throws', async () => {
    await panels.table('good', { name: 'string' }, rowsOf({}));
    const from = () => {
      throw new RangeError('secret-71');
    };
    const fields = { ...base, domain: { column: 'name', from } } as const;
    const { inspected, get, panel } = await panels.start({ email: { table: 'good', fields } });
    expect(await inspected('email')).toMatchObject({
      status: 'fail',
      detail: 'The function of the field domain threw an error.',
    });
    expect((await get('email.php')).status).toBe(500);
    const [, line] = await panel.requestLines(2);
    expect(line?.fields).toMatchObject({ cause: 'RangeError', cause_field: 'domain' });
  });
});

describe('A value under a collation that ignores case', () => {
  const panels = sourcePanels('mariadb');
  const base = { address: 'name', type: { value: 'mailbox' }, status: { value: 'active' } } as const;

  test.each([
    ['values', 'status', { column: 'state', values: { active: 'active', off: 'suspended' } }],
    [
      'values and otherwise',
      'status',
      { column: 'state', values: { active: 'active' }, otherwise: 'suspended' },
    ],
    ['what means none', 'domain', { column: 'state', null: 'active' }],
    ['what counts as true', 'keep_copy', { column: 'state', true: 'active' }],
    ['cases', 'status', { cases: [{ when: { state: 'active' }, is: 'active' }], otherwise: 'suspended' }],
  ])('causes a warning if a rule spells it in another way: %s', async (_, field, source) => {
    await panels.table('good', { name: 'string', state: 'string' }, [
      { name: 'a@a.example', state: 'active' },
      { name: 'b@a.example', state: 'Active' },
      { name: 'c@a.example', state: 'off' },
    ]);
    const { inspected } = await panels.start({
      email: { table: 'good', fields: { ...base, [field]: source } },
    } as never);
    expect((await inspected('email')).detail).toContain(
      'Values in column state differ from "active" only in case or trailing spaces. ' +
        `The field ${field} does not map them: add that spelling to its description.`,
    );
  });
});

test('A panel without a list of accounts is told what that means for tokens of one account', async () => {
  const { knex, url } = await freshDatabase('sqlite');
  const told = async () => (await panelApi(url, ['check'])).stderr;
  await knex.schema.createTable('domains', (table) => table.increments());
  expect(await told()).toContain('Without a list of accounts, a token of one account stays valid');
  await knex.schema.createTable('accounts', (table) => {
    table.increments();
    table.string('username');
    table.string('status');
  });
  expect(await told()).not.toContain('Without a list of accounts');
});

describe('Unmapped words', () => {
  const panels = sourcePanels('sqlite');

  test('are searched in the newest rows by release-audit.php', async () => {
    await panels.table('good', { name: 'string', state: 'string' }, [{ name: 'backup', state: 'oldest' }]);
    const rows = Array.from({ length: 10_000 }, () => ({ name: 'backup', state: 'on' }));
    await panels.knex.batchInsert('good', rows, 400);
    const fields = { type: 'name', status: { column: 'state', values: { on: 'queued' } } } as const;
    const { inspected } = await panels.start({ jobs: { table: 'good', fields } });
    expect(await inspected('jobs')).toMatchObject({ status: 'pass' });
    await panels.knex('good').where('id', 2).delete();
    expect(await inspected('jobs')).toMatchObject({
      status: 'warn',
      detail:
        'Unmapped value "oldest" in column state (field status): add it to `values`, or leave these rows out with `where`.',
    });
  });
});

test('Services without systemd are named without a place in the code', async () => {
  const { url } = await freshDatabase('sqlite');
  const folder = await mkdtemp(join(tmpdir(), 'systemctl-'));
  const config = join(folder, 'panel.cjs');
  writeFileSync(
    join(folder, 'systemctl'),
    '#!/bin/sh\necho "System has not been booted with systemd" >&2\nexit 1\n',
    { mode: 0o755 },
  );
  writeFileSync(
    config,
    `module.exports = { db: require(${JSON.stringify(require.resolve('knex'))})(${JSON.stringify(handleSettings({ url, engine: 'sqlite' }))}) };`,
  );
  const { stdout } = await panelApi(url, ['check', '--config', config, '--json'], {
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  await rm(folder, { recursive: true });
  expect(
    JSON.parse(stdout).find(({ resource }: { resource: string }) => resource === 'services'),
  ).toMatchObject({
    state: 'missing',
    missing: [
      'systemd does not run on this machine: name the services in another way, or set the source to false.',
    ],
  });
});
