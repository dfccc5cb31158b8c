import { parseExactJson } from '../../../client/parseExactJson';
import { type Engine, engines, freshDatabase } from '../../fixture/databases';
import { leniently } from '../../fixture/leniently';
import { startPanel, type TestPanel } from '../../fixture/panel';

/** A column that holds a value which a panel should not store: its type, the value in SQL, and what clients get. */
type Cell = readonly [type: string, sql: string, shown: unknown];

const LONG = 100_000;

/** What every database stores. */
const EVERYWHERE: Readonly<Record<string, Cell>> = {
  plan: ['varchar(99)', `'{"__proto__": {"polluted": 1}}'`, '{"__proto__": {"polluted": 1}}'],
  primary_domain: ['varchar(99)', "'\u202e\u0085<script>\u2028'", '\u202e\u0085<script>\u2028'],
  suspend_reason: ['varchar(99)', `'"\\''}],"success":true'`, `"\\'}],"success":true`],
  website_count: ['integer', '-5', null],
  domain_count: ['varchar(99)', "'NaN'", null],
  mailbox_count: ['varchar(99)', "'1e400'", null],
  database_count: ['varchar(99)', "'0x7f'", null],
  inode_count: ['bigint', '-9223372036854775807', null],
  website_limit: ['varchar(99)', "'9223372036854775808'", 9223372036854775808n],
  two_factor_enabled: ['varchar(99)', "'perhaps'", null],
  last_login_at: ['varchar(99)', "'10000-01-01 00:00:00'", null],
  updated_at: ['varchar(99)', "'2026-02-30 25:61:61'", null],
  ip_addresses: ['varchar(99)', `'["\\ud800", {"__proto__": 1}, null, 7]'`, ['\ufffd', '7']],
};

const CELLS: Readonly<Record<Engine, Readonly<Record<string, Cell>>>> = {
  mariadb: {
    ...EVERYWHERE,
    // MariaDB reads a backslash in a text as an escape.
    suspend_reason: ['varchar(99)', `'"\\\\''}],"success":true'`, `"\\'}],"success":true`],
    ip_addresses: ['varchar(99)', `'["\\\\ud800", {"__proto__": 1}, null, 7]'`, ['\ufffd', '7']],
    id: ['bigint unsigned', '18446744073709551615', 18446744073709551615n],
    username: ['mediumtext', `repeat('x', ${LONG})`, 'x'.repeat(LONG)],
    email: ['varbinary(9)', "X'C328FF6D'", '\ufffd(\ufffdm'],
    name: ['varchar(9) character set latin1', "X'E981'", 'é\u0081'],
    role: ['varchar(9)', "concat('a', char(0), char(27))", 'a\0\x1b'],
    disk_used_bytes: ['double', '1.7e308', 1.7e308],
    disk_limit_bytes: ['decimal(65, 0)', `1${'0'.repeat(60)}`, null],
    bandwidth_used_bytes: ['decimal(39, 0)', `1${'0'.repeat(38)}`, 10n ** 38n],
    nameservers: ['mediumtext', `repeat(',', ${LONG})`, []],
    created_at: ['datetime', "'0000-00-00 00:00:00'", null],
    status: ['datetime', "'9999-12-31 23:59:59'", '9999-12-31 23:59:59'],
  },
  postgresql: {
    ...EVERYWHERE,
    id: ['bigint', '-9223372036854775808', -9223372036854775808n],
    username: ['text', `repeat('x', ${LONG})`, 'x'.repeat(LONG)],
    // PostgreSQL itself writes bytes and JSON so.
    email: ['bytea', "'\\xC328FF6D'", '\\xc328ff6d'],
    name: ['jsonb', `'{"__proto__": {"toString": 1}}'`, '{"__proto__": {"toString": 1}}'],
    role: ['text', 'chr(1) || chr(27)', '\x01\x1b'],
    disk_used_bytes: ['double precision', "'NaN'", null],
    disk_limit_bytes: ['double precision', "'-Infinity'", null],
    bandwidth_used_bytes: ['numeric', "'NaN'", null],
    bandwidth_limit_bytes: ['real', "'Infinity'", null],
    nameservers: ['text', `repeat(',', ${LONG})`, []],
    created_at: ['timestamptz', "'infinity'", null],
    status: ['interval', "'1 day'", expect.any(String)],
  },
  sqlite: {
    ...EVERYWHERE,
    suspend_reason: ['varchar(99)', `'"\\''}],"success":true'`, `"\\'}],"success":true`],
    id: ['integer', '-9223372036854775807', -9223372036854775807n],
    username: ['text', `printf('%.${LONG}c', 'x')`, 'x'.repeat(LONG)],
    email: ['blob', "X'C328FF6D'", '\ufffd(\ufffdm'],
    name: ['text', "CAST(X'C328FF6D' AS TEXT)", expect.any(String)],
    role: ['text', "'a' || char(0) || char(27)", 'a\0\x1b'],
    disk_used_bytes: ['integer', '9e999', null],
    disk_limit_bytes: ['integer', "X'FF'", null],
    bandwidth_used_bytes: ['integer', '9223372036854775807', 9223372036854775807n],
    bandwidth_limit_bytes: ['integer', "'NaN'", null],
    nameservers: ['text', `printf('%.${LONG}c', ',')`, []],
    created_at: ['datetime', '9e999', null],
    status: ['datetime', "'9999-12-31 23:59:59'", '9999-12-31 23:59:59'],
  },
};

describe.each(engines)('A table of the panel with values that no panel should store (%s)', (engine) => {
  const cells = CELLS[engine];
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    const { knex } = await freshDatabase(engine);
    const names = Object.keys(cells);
    const columns = names.map((name) => `${name} ${cells[name]![0]}${name === 'id' ? ' primary key' : ''}`);
    await knex.raw(`create table accounts (${columns.join(', ')})`.replaceAll('?', '\\?'));
    const values = names.map((name) => cells[name]![1]);
    const insert = `insert into accounts (${names.join(', ')}) values (${values.join(', ')})`;
    await leniently(knex, (run) => run.raw(insert));
    panel = await startPanel({ db: knex, rateLimit: { requests: 10_000 } });
    token = await panel.token();
  });

  test('is served as its fields say, in all digits and whole texts', async () => {
    const { status, text } = await panel.get('/api/v1/accounts.php', token);
    expect(status).toBe(200);
    const { data } = parseExactJson(text) as { data: { items: readonly object[] } };
    expect(data.items).toEqual([
      Object.fromEntries(Object.entries(cells).map(([name, [, , shown]]) => [name, shown])),
    ]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test.each([
    ['every filter', 'status=x&two_factor_enabled=true&plan=%7B%22__proto__%22&id=1', 0],
    ['ranges', 'disk_used_bytes_min=-1&disk_limit_bytes_max=5', 0],
    ['ranges of times', 'created_at_since=0001-01-01&last_login_at_before=9999-12-31', 0],
    ['a search', `search=${'x'.repeat(256)}`, 1],
    ['the order', 'order=desc&limit=1', 1],
    ['figures', 'count=two_factor_enabled&sum=disk_used_bytes,disk_limit_bytes', 0],
  ])('answers questions by %s', async (_what, query, rows) => {
    const { status, body } = await panel.get(`/api/v1/accounts.php?${query}`, token);
    expect(status).toBe(200);
    expect(body.data.items).toHaveLength(rows);
  });
});
