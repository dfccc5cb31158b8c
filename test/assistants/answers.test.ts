import { type AssistantsPanel, startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { createFilledTables, SECRET, SHOWN_SETTINGS } from '../fixture/panelTables';

const KB = 1024;
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const ROW = { type: 'primary', ssl_status: 'active', status: 'active', account_id: 1 };

let database: TestDatabase;
let mcp: AssistantsPanel;
let token: string;
let everySent = '';

beforeAll(async () => {
  database = await freshDatabase('sqlite');
  await createFilledTables(database.knex);
  mcp = await startAssistantsPanel({
    db: database.knex,
    sources: { settings: { keys: SHOWN_SETTINGS }, services: { units: [{ unit: 'nginx' }] } },
  });
  token = await mcp.panel.token();
});

async function call(tool: string, args: object, own = token) {
  const answer = await mcp.call(tool, args, own);
  everySent += answer.text;
  expect({ tool, args, isBounded: Buffer.byteLength(answer.text) <= 40 * KB }).toMatchObject({
    isBounded: true,
  });
  return answer;
}

test('describes all tools in at most 6 KB, whatever words the panel has', async () => {
  const { text, message } = await mcp.send(LIST, token);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(6 * KB + 100);
  const [, , , { description }] = message.result.tools;
  expect(description).toMatch(/\nssl: id common_name .*; ranges issued_at expires_at days_left/);
  const words = { active: 'active', suspended: 'suspended', pending: 'pending' } as const;
  const mapped = await startAssistantsPanel({
    db: database.knex,
    sources: { domains: { fields: { status: { column: 'status', values: words } } } },
  });
  const few = await mapped.send(LIST, await mapped.panel.token({ scopes: ['domains.read'] }));
  expect(few.text).toContain('status=active|suspended|pending');
  const many = await mapped.send(LIST, await mapped.panel.token());
  expect(Buffer.byteLength(many.text)).toBeLessThanOrEqual(6 * KB + 100);
});

test('sends at most 40 KB of long rows, and a cursor that leads through all of them', async () => {
  const long = 'ü'.repeat(200);
  const rows = Array.from({ length: 20 }, (_, index) => ({
    domain: `long${index}.example`,
    aliases: Array.from({ length: 30 }, (_unused, alias) => `${alias}.${long}`).join(','),
    account_id: 1,
    status: 'active',
    runtime: 'php',
  }));
  for (const row of rows) await database.knex('websites').insert(row);
  const domains: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const where = { search: 'long' };
    const args = { list: 'websites', where, limit: 50, ...(cursor !== null && { cursor }) };
    const { data } = await call('panel_list', args);
    domains.push(...data.items.map(({ domain }: { domain: string }) => domain));
    cursor = data.next_cursor;
    expect(data.more === undefined).toBe(cursor === null);
    pages += 1;
  } while (cursor !== null && pages < 100);
  expect(domains).toEqual(rows.map(({ domain }) => domain));
  expect(pages).toBeGreaterThan(2);
  const [{ aliases }] = (await call('panel_list', { list: 'websites', where: { search: 'long' } })).data
    .items;
  expect(aliases).toHaveLength(21);
  expect(aliases.at(-1)).toBe('… (30 values)');
});

test('sends one row that is too long with shorter values', async () => {
  const long = '\u{1f600}'.repeat(400);
  const many = Array.from({ length: 40 }, () => long).join(',');
  const row = { domain: 'huge.example', aliases: many, ip_addresses: many, document_root: long, app: long };
  await database.knex('websites').insert({ ...row, status: 'active' });
  const { data } = await call('panel_list', { list: 'websites', where: { domain: 'huge.example' } });
  expect(data.items[0]).toMatchObject({
    domain: 'huge.example',
    app: expect.stringMatching(/… \(800 characters\)$/),
  });
});

test('removes what is not shown from names, and cuts long texts with their length', async () => {
  // A tag, a variation selector, marks of direction, a joiner, an escape, line ends, half a character.
  const hostile = 'a\u{e0041}b\u{e0100}c\u202ed\u2066e\u200bf\u001b[31mg\r\nh\u2028i\u{feff}j';
  await database.knex('cron').insert({ name: hostile, schedule: '@daily', enabled: true });
  await database.knex('jobs').insert({
    type: 'x',
    status: 'failed',
    error: `E\n${'y'.repeat(1000)}`,
    finished_at: new Date().toISOString(),
  });
  const cron = await call('panel_list', { list: 'cron', fields: ['name'], order: 'desc', limit: 1 });
  expect(cron.data.items[0].name).toBe('abcdef [31mg h ij');
  const { data } = await call('panel_problems', {});
  const [failed] = data.problems.filter(({ problem }: { problem: string }) => problem === 'failed_jobs');
  expect(failed.items[0].error).toMatch(/^E y+… \(1,002 characters\)$/);
});

test('counts by words of the customers, the most frequent first, and says how many rows have others', async () => {
  const plans = Array.from({ length: 90 }, (_, index) => `${'plan'.repeat(60)} ${index}`);
  await database.knex('accounts').insert(plans.map((plan, index) => ({ username: `u${index}`, plan })));
  await database.knex('accounts').insert({ username: 'last', plan: plans[7] });
  const { data } = await call('panel_count', { list: 'accounts', by: 'plan' });
  expect(data.counts[0]).toEqual({ value: plans[7], rows: 2 });
  const shown = data.counts.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0);
  expect([data.rows, shown + (data.others ?? 0)]).toEqual([92, 91]);
});

test('names the lists that cannot be read, and shows the others', async () => {
  const broken = await startAssistantsPanel({
    db: database.knex,
    sources: {
      domains: {
        rows: () => Promise.reject(new Error('the panel failed')),
        fields: ['id', 'domain', 'type', 'ssl_status', 'status'],
      },
      backups: false,
    },
  });
  const { data } = await broken.call('panel_overview', {}, await broken.panel.token());
  const names = data.lists.map(({ list }: { list: string }) => list);
  expect(names).toContain('websites');
  expect(names).not.toContain('backups');
  expect(data.not_read).toEqual([{ list: 'domains', reason: expect.stringMatching(/error|answer/) }]);
  const line = broken.panel.log.find(({ message }) => message === 'panel-api list not read');
  expect(line).toMatchObject({ level: 'warn', fields: { list: 'domains', cause: 'Error' } });
});

test('never sends a secret of the tables, whichever tool reads them', async () => {
  await database
    .knex('domains')
    .insert(Array.from({ length: 30 }, (_, n) => ({ ...ROW, domain: `d${n}.example` })));
  const lists = [
    'accounts',
    'domains',
    'websites',
    'email',
    'databases',
    'ssl',
    'backups',
    'jobs',
    'cron',
    'services',
    'settings',
  ];
  for (const list of lists) {
    await call('panel_list', { list, limit: 50 });
    await call('panel_count', { list });
  }
  for (const tool of ['panel_overview', 'panel_server']) await call(tool, {});
  await call('panel_problems', { days: 90 });
  for (const name of ['shop', 'anna', SECRET]) await call('panel_find', { name });
  expect(everySent.length).toBeGreaterThan(50_000);
  expect(everySent.replaceAll(`"name":"${SECRET}"`, '')).not.toContain(SECRET);
  expect(everySent).not.toContain(token);
  expect(JSON.stringify(mcp.panel.log)).not.toContain(SECRET);
});
