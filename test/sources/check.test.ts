import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { panelApi } from '../command/panelApi';
import { describeEachEngine } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { sourcePanels } from './sourcePanels';

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
  cron: { query: fails, fields: { id: 'id', schedule: 'name', enabled: 'state' } },
  settings: false,
}`;

describeEachEngine('What is wrong with a source', (engine) => {
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
    domains: ['There is no table gone.'],
    websites: ['The table good has no column nome (field domain).'],
    jobs: ['The query names what is not there'],
    databases: [
      'Several tables of the query have a column name, which needs an alias (field name).',
      'The table good has no column nix (field engine).',
    ],
    email: [
      'The column state holds',
      '"off"',
      '\\u{1b}[31mred\\u{202e}',
      '…"',
      'no rule of the field status',
    ],
  };

  const sources = (breaks: () => boolean = () => false) => {
    const fails = (knex: (table: string) => unknown) => {
      if (breaks()) throw new Error('secret-5512');
      return knex('good');
    };
    return runInNewContext(`(${SOURCES})`, { fails });
  };

  test.each(Object.entries(FINDINGS))('%s is said by health.php', async (resource, findings) => {
    const { health } = await panels.start(sources());
    const { status, detail } = await health(resource);
    expect(status).toBe('warn');
    for (const finding of findings) expect(detail).toContain(finding);
    expect(detail?.length).toBeLessThan(500);
  });

  test('harms no other in health.php', async () => {
    let broken = false;
    const { health } = await panels.start(sources(() => broken));
    expect(await health('cron')).toMatchObject({ status: 'pass' });
    broken = true;
    expect(await health('accounts')).toMatchObject({ status: 'pass' });
    expect(await health('cron')).toMatchObject({ status: 'fail', detail: 'The check failed.' });
    expect(await health('settings')).toMatchObject({ status: 'pass' });
  });

  test('is said by the log once for each change', async () => {
    const { get, panel } = await panels.start({ jobs: { table: 'good' } });
    const warnings = () => panel.log.filter(({ message }) => message.includes('unavailable'));
    for (let time = 0; time < 3; time += 1) await get('jobs.php');
    expect(warnings()).toHaveLength(1);
    await panels.knex.schema.alterTable('good', (table) => table.string('type'));
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

  test('is said by panel-api check, each in its own line, whatever the others do', async () => {
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
    // biome-ignore lint/suspicious/noExplicitAny: findings are compared below.
    const found = new Map<string, any>(JSON.parse(stdout).map((finding: any) => [finding.resource, finding]));
    for (const [resource, findings] of Object.entries(FINDINGS)) {
      const { missing, warnings } = found.get(resource);
      for (const finding of findings) expect([...missing, ...warnings].join(' ')).toContain(finding);
    }
    expect(found.get('accounts')).toMatchObject({ state: 'served', missing: [] });
    expect(found.get('cron')).toMatchObject({ state: 'failed', missing: [expect.stringContaining('Error')] });
    expect(stdout + stderr).not.toContain('secret-5512');
  });
});

describe('Words that no rule covers', () => {
  const panels = sourcePanels('sqlite');

  test('are looked for in the newest rows alone by health.php, and in all by the look that check takes', async () => {
    await panels.table('good', { name: 'string', state: 'string' }, [{ name: 'x', state: 'oldest' }]);
    const rows = Array.from({ length: 10_000 }, () => ({ name: 'x', state: 'on' }));
    await panels.knex.batchInsert('good', rows, 400);
    const fields = { type: 'name', status: { column: 'state', values: { on: 'queued' } } } as const;
    const { health } = await panels.start({ jobs: { table: 'good', fields } });
    expect(await health('jobs')).toMatchObject({ status: 'pass' });
    await panels.knex('good').where('id', 2).delete();
    expect(await health('jobs')).toMatchObject({
      status: 'warn',
      detail: 'The column state holds "oldest", which no rule of the field status covers.',
    });
  });
});
