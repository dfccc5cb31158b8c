import { type AssistantsPanel, startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { createFilledTables } from '../fixture/panelTables';

const LISTS = 'accounts, domains, websites, email, databases, ssl, backups, jobs, cron, services, settings';
const VALUE =
  'a text of 1 to 1,024 characters without NUL, a whole number up to 2^53 (others as text), true or false, or an array of 1 to 100 of these';
const TEXT = 'a text of 1 character or more, without NUL';
const NAME = 'a text of 1 to 256 characters, without NUL';

let database: TestDatabase;
let mcp: AssistantsPanel;
let token: string;

beforeAll(async () => {
  database = await freshDatabase('sqlite');
  await createFilledTables(database.knex);
  const status = { column: 'status', values: { valid: 'valid', failed: 'failed' } } as const;
  mcp = await startAssistantsPanel({ db: database.knex, sources: { ssl: { fields: { status } } } });
  token = await mcp.panel.token();
});

const inList = (where: object) => ({ list: 'ssl', where });

test.each<[string, unknown, string]>([
  ['panel_list', 'text', 'arguments must be a JSON object.'],
  ['panel_list', [], 'arguments must be a JSON object.'],
  ['panel_list', '{"list":', 'arguments must be a JSON object.'],
  ['panel_list', {}, `list must be one of ${LISTS}.`],
  ['panel_list', { list: null }, `list must be one of ${LISTS}.`],
  ['panel_list', { list: 'nothing' }, `list must be one of ${LISTS}.`],
  ['panel_list', { list: '' }, `list must be one of ${LISTS}.`],
  ['panel_list', { list: ['ssl'] }, `list must be one of ${LISTS}.`],
  ['panel_list', { list: {} }, `list must be one of ${LISTS}.`],
  [
    'panel_list',
    { list: 'ssl', page: 2 },
    'Unknown parameter page. Possible: list, where, fields, order, limit, cursor.',
  ],
  [
    'panel_list',
    { list: 'ssl', constructor: 2 },
    'Unknown parameter constructor. Possible: list, where, fields, order, limit, cursor.',
  ],
  ['panel_list', { list: 'ssl', limit: 0 }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: 51 }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: 1.5 }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: 'all' }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: '1e1' }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: '' }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: true }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: [5] }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', limit: '9'.repeat(30) }, 'limit must be a whole number from 1 to 50.'],
  ['panel_list', { list: 'ssl', fields: [] }, 'fields must be an array of one or more texts.'],
  ['panel_list', { list: 'ssl', fields: [null] }, 'fields must be an array of one or more texts.'],
  ['panel_list', { list: 'ssl', fields: '' }, 'fields must be an array of one or more texts.'],
  ['panel_list', { list: 'ssl', fields: {} }, 'fields must be an array of one or more texts.'],
  ['panel_list', { list: 'ssl', order: 'asc' }, 'order must be one of desc.'],
  ['panel_list', { list: 'ssl', order: '' }, `order must be ${TEXT}.`],
  [
    'panel_list',
    { list: 'ssl', cursor: 'nonsense' },
    'cursor must be the next_cursor of a page of the same list, with the same filters, order and account.',
  ],
  ['panel_list', { list: 'ssl', cursor: 'a\0' }, `cursor must be ${TEXT}.`],
  ['panel_list', { list: 'ssl', where: 'status=valid' }, 'where must be a JSON object.'],
  ['panel_list', { list: 'ssl', where: [] }, 'where must be a JSON object.'],
  ['panel_list', inList({ status: 'ended' }), 'status must be one of valid, failed, unknown.'],
  ['panel_list', inList({ status: 'valid,failed' }), 'status must be one of valid, failed, unknown.'],
  ['panel_list', inList({ status: '' }), `status must be ${VALUE}.`],
  ['panel_list', inList({ status: null }), `status must be ${VALUE}.`],
  ['panel_list', inList({ status: [] }), `status must be ${VALUE}.`],
  ['panel_list', inList({ status: {} }), `status must be ${VALUE}.`],
  ['panel_list', inList({ status: ['valid', null] }), `status must be ${VALUE}.`],
  ['panel_list', inList({ common_name: 'a\0' }), `common_name must be ${VALUE}.`],
  ['panel_list', inList({ common_name: 'x'.repeat(1025) }), `common_name must be ${VALUE}.`],
  ['panel_list', inList({ common_name: Array(101).fill('x') }), `common_name must be ${VALUE}.`],
  ['panel_list', inList({ auto_renew: 'yes' }), 'auto_renew must be true or false.'],
  [
    'panel_list',
    inList({ account_id: 'x' }),
    'account_id must be 1 to 100 whole numbers separated by commas.',
  ],
  [
    'panel_list',
    inList({ account_id: '1.5' }),
    'account_id must be 1 to 100 whole numbers separated by commas.',
  ],
  [
    'panel_list',
    inList({ expires_at_since: 'soon' }),
    'expires_at_since must be a time such as 2026-06-12T00:00:00Z, or a day such as 2026-06-12.',
  ],
  [
    'panel_list',
    inList({ updated_at_since: 'soon' }),
    'updated_since must be a time such as 2026-06-12T00:00:00Z, or a day such as 2026-06-12.',
  ],
  [
    'panel_list',
    inList({ updated_since: '2026-01-01', updated_at_since: '2026-01-01' }),
    'updated_since must be set only once, by this name or as updated_at_since.',
  ],
  [
    'panel_list',
    inList({ expires_at_since: ['2026-01-01', '2027-01-01'] }),
    'expires_at_since must be set only once.',
  ],
  [
    'panel_list',
    inList({ expires_at_since: '2027-01-01', expires_at_before: '2026-01-01' }),
    'expires_at_since must be earlier than expires_at_before.',
  ],
  [
    'panel_list',
    inList({ search: 'x'.repeat(257) }),
    'search must be the beginning of a name, 1 to 256 characters without NUL.',
  ],
  ['panel_list', inList({ search: ['a', 'b'] }), 'search must be set only once.'],
  ['panel_count', { list: 'ssl', by: 'issuer' }, 'by must be one of type, status, auto_renew.'],
  ['panel_count', { list: 'ssl', by: 'type,status' }, 'by must be one of type, status, auto_renew.'],
  ['panel_count', { list: 'ssl', by: '' }, `by must be ${TEXT}.`],
  ['panel_count', { list: 'ssl', by: ['type'] }, `by must be ${TEXT}.`],
  ['panel_count', { list: 'databases', sum: ['id'] }, 'sum must be one of size_bytes, size_limit_bytes.'],
  [
    'panel_count',
    { list: 'ssl', sum: ['id'] },
    'sum must be left out, because the list has no field that can be added up.',
  ],
  ['panel_count', { list: 'ssl', sum: [] }, 'sum must be an array of one or more texts.'],
  ['panel_count', { list: 'ssl', limit: 5 }, 'Unknown parameter limit. Possible: list, by, sum, where.'],
  ['panel_find', {}, 'name must be given.'],
  ['panel_find', { name: '' }, `name must be ${NAME}.`],
  ['panel_find', { name: 'a\0' }, `name must be ${NAME}.`],
  ['panel_find', { name: 'x'.repeat(257) }, `name must be ${NAME}.`],
  ['panel_find', { name: ['a'] }, `name must be ${NAME}.`],
  ['panel_problems', { days: 0 }, 'days must be a whole number from 1 to 90.'],
  ['panel_problems', { days: 'week' }, 'days must be a whole number from 1 to 90.'],
  ['panel_problems', { day: 7 }, 'Unknown parameter day. Did you mean days? Possible: days.'],
  ['panel_overview', { list: 'ssl' }, 'Unknown parameter list. There are none.'],
  ['panel_server', { verbose: true }, 'Unknown parameter verbose. There are none.'],
])('%s with %j is refused with this sentence', async (tool, args, sentence) => {
  expect((await mcp.call(tool, args as object, token)).refusal).toBe(sentence);
});

test.each<[string, object, string]>([
  [
    'panel_list',
    { fields: ['nothing'] },
    'fields names the unknown field nothing. Possible: id, common_name, ',
  ],
  ['panel_list', { where: { nothing: 1 } }, 'Unknown parameter nothing. Possible: id, common_name, '],
  ['panel_list', { where: { limit: 1 } }, 'Unknown parameter limit. Possible: id, common_name, '],
  ['panel_list', { where: { __proto__x: 1 } }, 'Unknown parameter __proto__x. Possible: id, common_name, '],
  ['panel_count', { where: { nothing: 1 } }, 'Unknown parameter nothing. Possible: id, common_name, '],
])('%s with %j is refused with the possible names', async (tool, args, beginning) => {
  const { refusal } = await mcp.call(tool, { list: 'ssl', ...args }, token);
  expect(refusal).toMatch(/\.$/);
  expect(refusal).toContain(beginning);
});

test.each<[string, unknown, object]>([
  ['panel_list', { list: 'ssl', limit: '5' }, { list: 'ssl', limit: 5 }],
  ['panel_list', { list: 'ssl', fields: 'status' }, { list: 'ssl', fields: ['status'] }],
  ['panel_list', { list: 'ssl', fields: 'status, type' }, { list: 'ssl', fields: ['status', 'type'] }],
  ['panel_list', { list: 'ssl', fields: '["status"]' }, { list: 'ssl', fields: ['status'] }],
  ['panel_list', { list: 'ssl', where: '{"status":"valid"}' }, inList({ status: 'valid' })],
  ['panel_list', inList({ status: '["valid","failed"]' }), inList({ status: ['valid', 'failed'] })],
  ['panel_list', inList({ auto_renew: 'true' }), inList({ auto_renew: true })],
  ['panel_list', inList({ account_id: '1' }), inList({ account_id: 1 })],
  ['panel_list', inList({ account_id: '1,2' }), inList({ account_id: [1, 2] })],
  ['panel_list', inList({ account_id: ['1,2', 3] }), inList({ account_id: [1, 2, 3] })],
  ['panel_list', '{"list":"ssl"}', { list: 'ssl' }],
  [
    'panel_list',
    { list: 'ssl', where: null, fields: null, order: null, limit: null, cursor: null },
    { list: 'ssl' },
  ],
  [
    'panel_count',
    { list: 'databases', sum: 'size_bytes', by: null },
    { list: 'databases', sum: ['size_bytes'] },
  ],
  ['panel_count', { list: 'ssl', by: true }, { list: 'ssl', by: 'true' }],
  ['panel_find', { name: 42 }, { name: '42' }],
  ['panel_overview', null, {}],
])('%s with %j is read as with %j', async (tool, written, meant) => {
  const asWritten = await mcp.call(tool, written as object, token);
  expect(asWritten.refusal).toBeNull();
  expect(asWritten.data).toEqual((await mcp.call(tool, meant, token)).data);
  if (tool !== 'panel_server') expect(asWritten.data).toEqual((await mcp.call(tool, meant, token)).data);
});

test('a value that begins like an array, or contains a comma, is found', async () => {
  for (const name of ['[a].example', '["a"]', 'a,b'])
    await database.knex('ssl').insert({ common_name: name, status: 'failed' });
  for (const name of ['[a].example', ['["a"]'], 'a,b', ['a,b']]) {
    const { data } = await mcp.call('panel_list', inList({ common_name: name }), token);
    expect(data.items).toMatchObject([{ common_name: String(name) }]);
  }
});

test.each<[string, object]>([
  ['panel_list', { list: 'jobs', items: [], next_cursor: null }],
  ['panel_count', { list: 'jobs', rows: 0 }],
])('%s names the unknown words of where if no row matches', async (tool, answer) => {
  const { data } = await mcp.call(tool, { list: 'jobs', where: { status: 'faild' } }, token);
  expect(data).toEqual({ ...answer, unknown_words: { status: ['faild'] } });
});
