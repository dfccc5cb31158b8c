import type { Knex } from 'knex';
import { type AssistantsPanel, startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { describeEachEngine, freshDatabase } from '../fixture/databases';
import { createPanelTables } from '../fixture/panelTables';

// biome-ignore lint/suspicious/noExplicitAny: each question reads what its calls return.
type Data = any;
type Ask = (tool: string, args?: object) => Promise<Data>;

/** What an administrator asks, at most two calls that answer it, and the statement that answers it too. */
type Question = readonly [
  question: string,
  calls: (ask: Ask) => Promise<unknown>,
  sql: (knex: Knex) => Promise<unknown>,
];

const DAY = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 19).replace('T', ' ');
/** No time of a row is as many days ago as a question asks for. */
const passed = (days: number) => at(days + 0.02);
const all = (items: Data, field: string) => items.map((item: Data) => item[field]);
const problem = async (ask: Ask, name: string, args = {}) =>
  (await ask('panel_problems', args)).problems.find((one: Data) => one.problem === name) ?? {
    rows: 0,
    items: [],
  };
const total = async (query: Knex.QueryBuilder) => Number((await query.count({ n: '*' }))[0]?.n);
const column = async (query: Knex.QueryBuilder, name: string) => all(await query.select(name), name);
const counts = (data: Data) => Object.fromEntries(data.counts.map(({ value, rows }: Data) => [value, rows]));
const grouped = async (query: Knex.QueryBuilder, by: string) => {
  const rows = await query.select(by).count({ n: '*' }).groupBy(by);
  return Object.fromEntries(rows.map((row: Data) => [row[by], Number(row.n)]));
};

const QUESTIONS: readonly Question[] = [
  [
    "Which sites' certificates end this week?",
    async (ask) => all((await problem(ask, 'ending_certificates', { days: 7 })).items, 'common_name'),
    (knex) =>
      column(
        knex('ssl as one')
          .where('expires_at', '<', at(7))
          .whereNotIn('status', ['revoked', 'failed', 'pending'])
          .whereNotExists(
            knex('ssl as later').whereRaw(
              'later.common_name = one.common_name and later.expires_at > one.expires_at',
            ),
          )
          .orderBy('id'),
        'common_name',
      ),
  ],
  [
    'Who uses the most disk?',
    async (ask) => {
      const where = { disk_used_bytes_min: 5000 };
      const { items } = await ask('panel_list', {
        list: 'accounts',
        where,
        fields: ['username', 'disk_used_bytes'],
      });
      return items.toSorted((a: Data, b: Data) => b.disk_used_bytes - a.disk_used_bytes)[0].username;
    },
    async (knex) =>
      (await column(knex('accounts').orderBy('disk_used_bytes', 'desc').limit(1), 'username'))[0],
  ],
  [
    'How many accounts are suspended?',
    async (ask) => (await ask('panel_count', { list: 'accounts', where: { status: 'suspended' } })).rows,
    (knex) => total(knex('accounts').where({ status: 'suspended' })),
  ],
  [
    'How many accounts does each plan have?',
    async (ask) => counts(await ask('panel_count', { list: 'accounts', by: 'plan' })),
    (knex) => grouped(knex('accounts'), 'plan'),
  ],
  [
    'How much disk space do all accounts use?',
    async (ask) =>
      (await ask('panel_count', { list: 'accounts', sum: ['disk_used_bytes'] })).sums.disk_used_bytes,
    async (knex) => Number((await knex('accounts').sum({ n: 'disk_used_bytes' }))[0]?.n),
  ],
  [
    'Which backups failed in the last week?',
    async (ask) =>
      all((await problem(ask, 'failed_backups')).items, 'id')
        .map(String)
        .toSorted(),
    async (knex) =>
      all(
        await knex('backups')
          .whereIn('status', ['failed', 'partial'])
          .where('finished_at', '>', at(-7))
          .orderBy('id'),
        'id',
      ).map(String),
  ],
  [
    'Did a job fail today?',
    async (ask) => (await problem(ask, 'failed_jobs', { days: 1 })).rows > 0,
    async (knex) =>
      (await total(knex('jobs').where({ status: 'failed' }).where('finished_at', '>', at(-1)))) > 0,
  ],
  [
    'Why did the last job fail?',
    async (ask) => (await problem(ask, 'failed_jobs')).items[0].error,
    async (knex) =>
      (await column(knex('jobs').where({ status: 'failed' }).orderBy('id', 'desc').limit(1), 'error'))[0],
  ],
  [
    'Who owns shop3.example?',
    async (ask) => {
      const { found } = await ask('panel_find', { name: 'shop3.example' });
      const { account_id } = found.find(({ list }: Data) => list === 'domains').items[0];
      return (await ask('panel_list', { list: 'accounts', where: { id: account_id } })).items[0].username;
    },
    async (knex) =>
      (
        await column(
          knex('domains as d')
            .join('accounts as a', 'a.id', 'd.account_id')
            .where({ domain: 'shop3.example' }),
          'username',
        )
      )[0],
  ],
  [
    'Which mailboxes are nearly full?',
    async (ask) => all((await problem(ask, 'full_mailboxes')).items, 'address').toSorted(),
    (knex) =>
      column(
        knex('email').whereRaw('quota_bytes > 0 and used_bytes >= 0.9 * quota_bytes').orderBy('address'),
        'address',
      ),
  ],
  [
    'Which accounts have used up their space?',
    async (ask) => all((await problem(ask, 'full_accounts')).items, 'username').toSorted(),
    (knex) =>
      column(
        knex('accounts')
          .whereRaw('disk_limit_bytes > 0 and disk_used_bytes >= 0.9 * disk_limit_bytes')
          .orderBy('username'),
        'username',
      ),
  ],
  [
    'How many domains of each status are there?',
    async (ask) => {
      const { lists } = await ask('panel_overview');
      return counts(lists.find(({ list }: Data) => list === 'domains'));
    },
    (knex) => grouped(knex('domains'), 'status'),
  ],
  [
    'Which domains must be renewed in the next 30 days?',
    async (ask) => all((await problem(ask, 'ending_domains', { days: 30 })).items, 'domain'),
    (knex) =>
      column(
        knex('domains').where('registration_expires_at', '<', at(29).slice(0, 10)).orderBy('id'),
        'domain',
      ),
  ],
  [
    'Which sites run PHP 7?',
    async (ask) => {
      const { items } = await ask('panel_list', {
        list: 'websites',
        where: { runtime: 'php' },
        fields: ['domain', 'runtime_version'],
        limit: 50,
      });
      return all(
        items.filter(({ runtime_version }: Data) => runtime_version.startsWith('7')),
        'domain',
      );
    },
    (knex) =>
      column(
        knex('websites').where({ runtime: 'php' }).where('runtime_version', 'like', '7%').orderBy('id'),
        'domain',
      ),
  ],
  [
    'Which scheduled tasks failed?',
    async (ask) => all((await problem(ask, 'failed_tasks')).items, 'name').toSorted(),
    (knex) =>
      column(
        knex('cron').where({ last_status: 'failed' }).where('last_run_at', '>', at(-7)).orderBy('name'),
        'name',
      ),
  ],
  [
    'How many databases has account 2, and how large are they together?',
    async (ask) => {
      const { rows, sums } = await ask('panel_count', {
        list: 'databases',
        where: { account_id: 2 },
        sum: ['size_bytes'],
      });
      return [rows, sums.size_bytes];
    },
    async (knex) => {
      const [row] = await knex('databases')
        .where({ account_id: 2 })
        .count({ n: '*' })
        .sum({ size: 'size_bytes' });
      return [Number(row?.n), Number(row?.size)];
    },
  ],
  [
    'Which accounts were created in the last 30 days?',
    async (ask) =>
      all(
        (
          await ask('panel_list', {
            list: 'accounts',
            where: { created_at_since: new Date(Date.now() - 30 * DAY).toISOString() },
          })
        ).items,
        'username',
      ),
    (knex) => column(knex('accounts').where('created_at', '>=', at(-30)).orderBy('id'), 'username'),
  ],
  [
    'Which websites have no HTTPS?',
    async (ask) =>
      all((await ask('panel_list', { list: 'websites', where: { ssl_enabled: false } })).items, 'domain'),
    (knex) => column(knex('websites').where({ ssl_enabled: false }).orderBy('id'), 'domain'),
  ],
  [
    'Which customer has not turned on two-factor authentication?',
    async (ask) =>
      all(
        (
          await ask('panel_list', {
            list: 'accounts',
            where: { two_factor_enabled: false, status: ['active', 'suspended'] },
          })
        ).items,
        'username',
      ),
    (knex) => column(knex('accounts').where({ two_factor_enabled: false }).orderBy('id'), 'username'),
  ],
  [
    'What needs attention?',
    async (ask) => all((await ask('panel_overview')).attention, 'problem').toSorted(),
    async () => [
      'accounts_without_backup',
      'ending_certificates',
      'failed_backups',
      'failed_jobs',
      'failed_tasks',
      'full_accounts',
      'full_mailboxes',
    ],
  ],
];

async function fill(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  const rows: Record<string, object[]> = {};
  const insert = (table: string, row: object) => {
    rows[table] = [...(rows[table] ?? []), row];
  };
  for (let n = 1; n <= 12; n += 1) {
    insert('accounts', {
      username: `user${n}`,
      status: n % 4 === 0 ? 'suspended' : 'active',
      plan: `Plan ${n % 3}`,
      disk_used_bytes: n === 7 ? 9500 : n * 100,
      disk_limit_bytes: n === 3 ? -1 : 10_000,
      two_factor_enabled: n % 2 === 0,
      created_at: passed(-n * 5),
    });
    insert('domains', {
      domain: `shop${n}.example`,
      type: 'primary',
      ssl_status: 'active',
      status: n === 5 ? 'pending' : 'active',
      account_id: n,
      registration_expires_at: at(n === 9 ? 20 : 300).slice(0, 10),
    });
    insert('websites', {
      domain: `shop${n}.example`,
      account_id: n,
      status: 'active',
      runtime: n > 10 ? 'node' : 'php',
      runtime_version: n > 6 ? '8.3' : '7.4',
      ssl_enabled: n !== 4,
    });
    insert('databases', {
      name: `db${n}`,
      engine: 'mariadb',
      account_id: 1 + (n % 3),
      size_bytes: n * 1000,
    });
    const address = { address: `info@shop${n}.example`, type: 'mailbox', status: 'active', account_id: n };
    insert('email', { ...address, quota_bytes: n === 8 ? null : 1000, used_bytes: n * 80 });
    const certificate = { common_name: `shop${n}.example`, website_id: n, account_id: n };
    insert('ssl', { ...certificate, status: 'valid', expires_at: at(n + 0.5) });
    // Some were renewed, and one of a later end was revoked.
    if (n % 2 === 0) insert('ssl', { ...certificate, status: 'valid', expires_at: at(80) });
    const backup = { account_id: n, started_at: passed(-n - 0.1), finished_at: passed(-n) };
    insert('backups', {
      ...backup,
      status: n % 3 === 0 ? 'failed' : n === 4 ? 'partial' : 'succeeded',
    });
    const job = {
      type: 'deploy',
      queued_at: passed(-13 + n),
      finished_at: passed(-12.5 + n),
      error: n % 5 === 0 ? `Fault ${n}` : null,
    };
    insert('jobs', { ...job, status: n % 5 === 0 ? 'failed' : 'succeeded' });
    const task = { name: `task${n}`, schedule: '@daily', enabled: true, last_run_at: passed(-n) };
    insert('cron', { ...task, last_status: n % 4 === 0 ? 'failed' : 'succeeded' });
  }
  for (const [table, all] of Object.entries(rows)) await knex(table).insert(all);
}

describeEachEngine('Questions of administrators', (engine) => {
  let knex: Knex;
  let mcp: AssistantsPanel;
  let token: string;

  beforeAll(async () => {
    ({ knex } = await freshDatabase(engine));
    await fill(knex);
    mcp = await startAssistantsPanel({ db: knex, sources: { services: { units: [{ unit: 'nginx' }] } } });
    token = await mcp.panel.token();
  });

  test.each(QUESTIONS)('%s', async (_question, calls, sql) => {
    let asked = 0;
    const answer = await calls(async (tool, args = {}) => {
      asked += 1;
      const { data, refusal } = await mcp.call(tool, args, token);
      expect(refusal).toBeNull();
      return data;
    });
    expect(answer).toEqual(await sql(knex));
    expect(asked).toBeLessThanOrEqual(2);
  });
});

test('twenty questions are asked', () => {
  expect(QUESTIONS).toHaveLength(20);
});
