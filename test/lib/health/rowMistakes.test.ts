import type { Sources } from '../../../index';
import { checkSources } from '../../fixture/command/checkSources';
import { type ColumnType, sourcePanels } from '../../fixture/sources/sourcePanels';

type Cells = Readonly<Record<string, string | number | boolean | null>>;
type Row = Cells | ((id: number) => Cells);

/** A time of the day with this number. */
const at = (day: number, clock = '00:00:00') =>
  `${new Date(Date.UTC(2025, 5, day)).toISOString().slice(0, 10)}T${clock}Z`;

/** What a row of each list always has. The columns have the names of the fields. */
const LISTS = {
  accounts: (id) => ({ username: `u${id}`, status: 'active' }),
  domains: (id) => ({ domain: `a${id}.example`, type: 'addon', ssl_status: 'none', status: 'active' }),
  websites: (id) => ({ domain: `a${id}.example`, status: 'active' }),
  email: (id) => ({ address: `a${id}@b.example`, type: 'mailbox', status: 'active' }),
  databases: (id) => ({ name: `db${id}`, engine: 'mariadb' }),
  ssl: (id) => ({ common_name: `a${id}.example`, status: 'pending' }),
  backups: () => ({ status: 'succeeded' }),
  jobs: () => ({ type: 'deploy', status: 'succeeded' }),
  cron: () => ({ schedule: '0 5 * * *', enabled: true }),
  services: (id) => ({ name: `service ${id}`, status: 'running' }),
} satisfies Record<string, Row>;

/** What `check` says of some rows. */
interface Said {
  readonly code: string;
  readonly problem: string;
  readonly advice: string;
  /** How many rows there are, and how many of them are wrong: one less is not found. */
  readonly rows: number;
  readonly wrong: number;
  /** Whether fewer rows are not enough. */
  readonly isLeast?: true;
}

/** A list and a field, what is said of it, and what right and wrong rows of it have. */
type Mistake = readonly [place: string, said: Said, right: Row, wrong: Row];

const never = (when: string, by = 'status'): Said => ({
  code: 'unexpected',
  problem: `is set although ${by} is ${when}`,
  advice: `read null in such rows, or correct ${by}`,
  rows: 20,
  wrong: 2,
});
const seldom = (when: string, by: string): Said => ({ ...never(when, by), rows: 4, wrong: 3 });
const empty = (when: string) => ({
  code: 'empty',
  problem: `is null, empty, 0 or false${when}`,
  advice: 'correct the column, join or words',
  isLeast: true as const,
});
const always = (when: string, by = 'status'): Said => ({
  ...empty(` although ${by} is ${when}`),
  rows: 3,
  wrong: 2,
});
const mostly = (when = ''): Said => ({ ...empty(when), rows: 10, wrong: 5 });
const frequent = (word: string): Said => ({
  code: 'frequent',
  problem: `is ${word}`,
  advice: 'if the panel shows another, correct which value means this',
  rows: 10,
  wrong: 7,
  isLeast: true,
});
const form: Said = {
  code: 'form',
  problem: 'has another form than it should',
  advice: 'convert it, or correct the runtime, engine or type',
  rows: 20,
  wrong: 2,
};
const noText: Said = {
  code: 'no_text',
  problem: 'is a number, a flag or an id',
  advice: 'choose the column of the text, or join to it',
  rows: 2,
  wrong: 2,
  isLeast: true,
};
const same: Said = {
  code: 'same_value',
  problem: 'is the same',
  advice: 'choose a column of the row itself, and join by its id',
  rows: 10,
  wrong: 10,
  isLeast: true,
};
const duration: Said = {
  code: 'duration',
  problem: 'is not finished_at minus started_at',
  advice: 'say its `unit`, or leave it out to be computed',
  rows: 4,
  wrong: 2,
};
const catchAll: Said = {
  code: 'catch_all',
  problem: 'contradicts type',
  advice: 'begin the address of each catch-all, and of no other, with `@`',
  rows: 3,
  wrong: 1,
};
const ownName: Said = {
  code: 'own_name',
  problem: "contains the row's own name",
  advice: 'leave it out',
  rows: 20,
  wrong: 2,
};
const commonName: Said = {
  code: 'common_name',
  problem: 'lacks common_name',
  advice: 'choose the column of the names of this certificate',
  rows: 5,
  wrong: 3,
};
const timezone: Said = {
  code: 'timezone',
  problem: 'gives no next run',
  advice: 'use IANA names, such as Europe/Berlin',
  rows: 4,
  wrong: 2,
};
const blanks: Said = {
  code: 'blanks',
  problem: 'begins or ends with a blank',
  advice: 'remove it, such as with `from`',
  rows: 20,
  wrong: 2,
};
const order = (first: string): Said => ({
  code: 'time_order',
  problem: `is before ${first}`,
  advice: 'choose the right column for each, and the same `zone`',
  rows: 4,
  wrong: 3,
});
const limit = (used: string): Said => ({
  code: 'limit',
  problem: `is a limit below ${used}`,
  advice: 'correct the column or the unit of one of them',
  rows: 9,
  wrong: 2,
});

const run = { started_at: at(1, '10:00:00'), finished_at: at(1, '10:00:45') };
const UUID = '0b9e9b7e-6c0f-4b5e-9a53-1f2d3c4b5a69';

const MISTAKES: readonly Mistake[] = [
  [
    'accounts.suspend_reason',
    never('active or pending'),
    { suspend_reason: null },
    { suspend_reason: 'unpaid' },
  ],
  [
    'domains.parent_id',
    never('primary or addon or parked', 'type'),
    { parent_id: null },
    (id) => ({ parent_id: id + 1 }),
  ],
  ['ssl.expires_at', never('pending'), { expires_at: null }, (id) => ({ expires_at: at(id) })],
  [
    'backups.error',
    never('queued or running or succeeded or cancelled'),
    { error: null },
    { error: 'No space' },
  ],
  [
    'jobs.error',
    never('queued or running or succeeded or cancelled'),
    { error: null },
    { error: 'No space' },
  ],
  [
    'jobs.started_at',
    seldom('queued', 'status'),
    { status: 'queued', started_at: null },
    (id) => ({ status: 'queued', started_at: at(id) }),
  ],
  [
    'backups.finished_at',
    never('queued or running'),
    { status: 'running', finished_at: null },
    (id) => ({ status: 'running', finished_at: at(id) }),
  ],
  [
    'backups.account_id',
    never('server', 'scope'),
    { scope: 'server', account_id: null },
    { scope: 'server', account_id: 1 },
  ],
  [
    'cron.last_run_at',
    never('never', 'last_status'),
    { last_status: 'never', last_run_at: null },
    (id) => ({ last_status: 'never', last_run_at: at(id) }),
  ],
  [
    'backups.size_bytes',
    mostly(' although status is succeeded'),
    (id) => ({ size_bytes: 1_000_000 * id }),
    { size_bytes: 0 },
  ],
  ['email.quota_bytes', frequent('0'), { quota_bytes: 1_000_000_000 }, { quota_bytes: 0 }],
  [
    'websites.runtime_version',
    seldom('static or proxy', 'runtime'),
    { runtime: 'static', runtime_version: null },
    { runtime: 'static', runtime_version: '8.3' },
  ],
  [
    'email.used_bytes',
    seldom('forwarder or alias or catchall or list', 'type'),
    { type: 'list', used_bytes: 0 },
    (id) => ({ type: 'list', used_bytes: 1_000_000 * id }),
  ],
  [
    'cron.last_exit_code',
    seldom('succeeded', 'last_status'),
    { last_status: 'succeeded', last_exit_code: 0 },
    { last_status: 'succeeded', last_exit_code: 1 },
  ],
  [
    'domains.parent_id',
    always('subdomain or alias', 'type'),
    (id) => ({ type: 'alias', parent_id: (id % 3) + 1 }),
    { type: 'alias', parent_id: null },
  ],
  [
    'email.forward_to',
    always('forwarder or alias', 'type'),
    { type: 'alias', forward_to: 'c@d.example' },
    { type: 'alias', forward_to: '' },
  ],
  ['jobs.finished_at', always('succeeded'), (id) => ({ finished_at: at(id) }), { finished_at: null }],
  ['cron.timezone', timezone, { timezone: 'Europe/Berlin' }, { timezone: 'Berlin' }],
  ['accounts.email', mostly(), (id) => ({ email: `a${id}@b.example` }), { email: null }],
  ['websites.runtime', mostly(), { runtime: 'php' }, { runtime: 'unknown' }],
  [
    'cron.next_run_at',
    { ...never('false', 'enabled'), rows: 9, wrong: 1 },
    { enabled: false, next_run_at: null },
    (id) => ({ enabled: false, next_run_at: at(id) }),
  ],
  [
    'services.pid',
    { ...never('stopped or failed or not_installed'), rows: 9, wrong: 1 },
    { status: 'failed', pid: null },
    (id) => ({ status: 'failed', pid: id }),
  ],
  ['websites.account_id', mostly(), { account_id: 1 }, { account_id: null }],
  [
    'ssl.auto_renew',
    mostly(' although type is acme'),
    { type: 'acme', auto_renew: true },
    { type: 'acme', auto_renew: false },
  ],
  [
    'backups.account_id',
    mostly(' although scope is account or website or database or email'),
    { scope: 'email', account_id: 1 },
    { scope: 'email', account_id: null },
  ],
  ['accounts.status', frequent('suspended'), {}, { status: 'suspended' }],
  ['accounts.role', frequent('admin'), { role: 'customer' }, { role: 'admin' }],
  ['websites.status', frequent('stopped'), {}, { status: 'stopped' }],
  ['backups.status', frequent('failed'), {}, { status: 'failed' }],
  ['cron.enabled', frequent('false'), {}, { enabled: false }],
  [
    'email.autoresponder_enabled',
    { ...frequent('true'), rows: 11, wrong: 8 },
    { autoresponder_enabled: false },
    { autoresponder_enabled: true },
  ],
  ['backups.duration_ms', duration, { ...run, duration_ms: 44_100 }, { ...run, duration_ms: 450 }],
  ['jobs.duration_ms', duration, { ...run, duration_ms: 47_000 }, { ...run, duration_ms: 90_000 }],
  [
    'email.address',
    catchAll,
    (id) => ({ type: 'catchall', address: `@a${id}.example`, forward_to: 'c@d.example' }),
    (id) => ({ type: 'catchall', address: `*@a${id}.example`, forward_to: 'c@d.example' }),
  ],
  [
    'email.address',
    { ...catchAll, rows: 1 },
    (id) => ({ type: 'alias', address: `@a${id}.example`, forward_to: '@d.example' }),
    (id) => ({ type: 'alias', address: `@a${id}.example`, forward_to: 'c@d.example' }),
  ],
  [
    'websites.aliases',
    ownName,
    (id) => ({ aliases: `www.a${id}.example` }),
    (id) => ({ aliases: `www.a${id}.example, A${id}.example` }),
  ],
  [
    'email.forward_to',
    ownName,
    { forward_to: 'c@d.example' },
    (id) => ({ forward_to: `c@d.example, a${id}@b.example` }),
  ],
  [
    'ssl.sans',
    commonName,
    (id) => ({ sans: `www.a${id}.example, a${id}.example` }),
    (id) => ({ sans: `www.a${id}.example` }),
  ],
  ['cron.schedule', blanks, {}, { schedule: ' 0 5 * * * ' }],
  ['domains.domain', blanks, {}, (id) => ({ domain: `a${id}.example ` })],
  ['accounts.plan', noText, { plan: 'Basic' }, { plan: '3' }],
  ['websites.web_server', noText, { web_server: 'nginx' }, { web_server: 'true' }],
  ['jobs.actor', noText, { actor: 'anna' }, { actor: UUID }],
  ['accounts.created_at', same, (id) => ({ created_at: at(id) }), { created_at: at(1) }],
  ['accounts.domain_count', same, (id) => ({ domain_count: id }), { domain_count: 27 }],
  ['databases.size_bytes', same, (id) => ({ size_bytes: 1_000_000 * id }), { size_bytes: 5_000_000 }],
  [
    'websites.runtime_version',
    form,
    { runtime: 'php', runtime_version: '8.3' },
    { runtime: 'php', runtime_version: '83' },
  ],
  ['databases.engine_version', form, { engine_version: '10.11.6-MariaDB' }, { engine_version: '8.0.36' }],
  [
    'databases.engine_version',
    form,
    { engine: 'postgresql', engine_version: '16' },
    { engine: 'mysql', engine_version: '16' },
  ],
  [
    'cron.command',
    form,
    { type: 'url', command: 'https://a.example/cron' },
    { type: 'url', command: 'php cron.php' },
  ],
  [
    'cron.command',
    form,
    { type: 'command', command: 'curl https://a.example/cron' },
    { type: 'command', command: 'https://a.example/cron' },
  ],
  ['databases.port', form, { port: 3306 }, { port: 0 }],
  ['databases.charset', form, { charset: 'utf8mb4' }, { charset: 'utf8mb4_unicode_ci' }],
  ['jobs.progress_percent', form, { progress_percent: 100 }, { progress_percent: 0.4 }],
  [
    'ssl.fingerprint_sha256',
    form,
    { fingerprint_sha256: 'AB:'.repeat(31) + 'AB' },
    { fingerprint_sha256: 'ab'.repeat(20) },
  ],
  [
    'accounts.updated_at',
    order('created_at'),
    (id) => ({ created_at: at(id), updated_at: at(id + 1) }),
    (id) => ({ created_at: at(id), updated_at: at(id - 1) }),
  ],
  [
    'email.last_login_at',
    order('created_at'),
    (id) => ({ created_at: at(id), last_login_at: at(id + 1) }),
    (id) => ({ created_at: at(id), last_login_at: at(id - 1) }),
  ],
  [
    'cron.next_run_at',
    order('last_run_at'),
    (id) => ({ last_run_at: at(id), next_run_at: at(id + 1) }),
    (id) => ({ last_run_at: at(id), next_run_at: at(id - 1) }),
  ],
  [
    'domains.registration_expires_at',
    order('created_at'),
    (id) => ({ created_at: at(id), registration_expires_at: at(id + 1) }),
    (id) => ({ created_at: at(id), registration_expires_at: at(id - 1) }),
  ],
  [
    'accounts.website_limit',
    limit('website_count'),
    (id) => ({ website_limit: id + 5, website_count: id }),
    (id) => ({ website_limit: id, website_count: id + 5 }),
  ],
];

describe('A mistake that the answered rows show is named by panel-api check', () => {
  const panels = sourcePanels('sqlite');

  const typeOf = (value: unknown): ColumnType => {
    if (typeof value === 'boolean') return 'boolean';
    return typeof value !== 'number' ? 'string' : Number.isInteger(value) ? 'bigInteger' : 'double';
  };

  const cellsOf = (list: keyof typeof LISTS, row: Row, id: number): Cells => ({
    ...LISTS[list](id),
    ...(typeof row === 'function' ? row(id) : row),
  });

  /** The findings about a list with these rows. */
  const findingsOf = async (list: keyof typeof LISTS, rows: readonly Row[], kinds: readonly Row[]) => {
    const all = rows.map((row, index) => cellsOf(list, row, index + 1));
    const cells = kinds.flatMap((row) => Object.entries(cellsOf(list, row, 1)));
    const types = cells.flatMap(([name, value]) => (value === null ? [] : [[name, typeOf(value)]]));
    await panels.knex.schema.dropTableIfExists(list);
    await panels.table(list, Object.fromEntries(types), all);
    const sources = { [list]: { table: list } } as Sources;
    const found = await checkSources({ db: panels.knex, sources });
    return found.find(({ resource }) => resource === list)?.warnings;
  };

  const titled = MISTAKES.map(
    ([place, said, ...rows]) => [`${place}, ${said.code}`, place, said, ...rows] as const,
  );

  test.each(titled)('%s', async (_title, place, said, right, wrong) => {
    const [list, field] = place.split('.') as [keyof typeof LISTS, string];
    const found = (count: number, all = said.rows) => {
      const rows = Array.from({ length: all }, (_, index) => (index < count ? wrong : right));
      return findingsOf(list, rows, [right, wrong]);
    };
    const [one, ...others] = (await found(said.wrong)) ?? [];
    expect(others).toEqual([]);
    expect(one).toMatchObject({ code: said.code, field });
    expect(one?.sentence).toContain(` ${said.problem} in ${said.wrong} of ${said.rows} rows`);
    expect(one?.sentence.endsWith(`: ${said.advice}.`)).toBe(true);
    expect(await found(said.wrong - 1)).toEqual([]);
    if (said.isLeast) expect(await found(said.rows - 1, said.rows - 1)).toEqual([]);
  });

  test.each([
    ['websites', { runtime: 'php', runtime_version: 'PHP 8.3' }],
    ['websites', { runtime: 'node', runtime_version: '20' }],
    ['websites', { runtime: 'php', runtime_version: 'latest' }],
    ['databases', { engine: 'mysql', engine_version: '8' }],
    ['databases', { engine: 'mariadb', engine_version: '5.5.5-10.6.12-MariaDB' }],
    ['databases', { engine: 'postgresql', engine_version: 'pgvector/pgvector:pg16' }],
    ['databases', { engine: 'libsql', engine_version: '0.24' }],
    ['cron', { schedule: '@every 30m', timezone: 'UTC' }],
    ['cron', { type: 'url', command: 'www.shop.example/cron' }],
    ['cron', { type: 'script', command: '/usr/bin/php cron.php' }],
    ['accounts', { website_limit: 0, website_count: 0 }],
    ['accounts', { created_at: at(1), updated_at: at(1) }],
    ['backups', { ...run, finished_at: at(1, '10:00:01'), duration_ms: 1999 }],
    ['email', { forward_to: '' }],
    ['ssl', { sans: '' }],
  ] as const)('right rows of %s: %j', async (list, row) => {
    const found = await findingsOf(list, Array(9).fill(row), [row]);
    expect(found?.filter(({ code }) => code !== 'word')).toEqual([]);
  });

  test('the parent of a subdomain, parent_name', async () => {
    const rows = (wrong: number) => [
      { domain: 'shop.example', type: 'primary', parent_id: null },
      { domain: 'BÜCHER.example', type: 'primary', parent_id: null },
      { domain: 'a.shop.example', type: 'subdomain', parent_id: 1 },
      { domain: 'b.xn--bcher-kva.example', type: 'subdomain', parent_id: wrong },
      { domain: 'other.example', type: 'alias', parent_id: 1 },
    ];
    expect(await findingsOf('domains', rows(2), rows(2))).toEqual([]);
    expect(await findingsOf('domains', rows(1), rows(1))).toEqual([
      {
        code: 'parent_name',
        field: 'parent_id',
        sentence:
          'The field parent_id (column parent_id) is not the end of the subdomain\'s name in 1 of 2 rows, such as "1" in the row 4: choose the parent, or correct type.',
      },
    ]);
  });

  test('a part in which all rows have one word that the panel says', async () => {
    await panels.table(
      'failed',
      {},
      Array.from({ length: 12 }, (_, index) => ({ id: index + 1 })),
    );
    const fields = { type: { value: 'deploy' }, status: { value: 'failed' } } as const;
    const found = await checkSources({ db: panels.knex, sources: { jobs: { table: 'failed', fields } } });
    expect(found.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  test('a flag that is true for all, which a panel may require', async () => {
    const row = { two_factor_enabled: true };
    expect(await findingsOf('accounts', Array(12).fill(row), [row])).toEqual([]);
  });
});
