import { type FunctionPanel, startFunctionPanel } from '../../../fixture/streams/functionPanel';
import { DOMAINS } from '../../../fixture/streams/longPanel';
import { rowOf } from '../../../fixture/streams/longTable';

const SECRET = 'secret-51cc';

describe('A row that a function of the panel returns', () => {
  let long: FunctionPanel;
  let databases: object;

  beforeAll(async () => {
    const sources = {
      databases: { rows: () => [databases] as never, fields: ['id', 'name', 'engine', 'users'] as const },
    };
    long = await startFunctionPanel(3000, sources, [
      'id',
      'domain',
      'type',
      'ssl_status',
      'status',
      'account_id',
      'dns_managed',
      'updated_at',
    ]);
  });

  // The answer, with the types of its values, is checked against the OpenAPI document.
  const answer = async (row: object) => {
    long.setRows(() => [{ ...rowOf(1), ...row }] as never);
    return long.panel.get(DOMAINS, long.token);
  };

  test.each<[string, object, object]>([
    ['a number for text', { domain: 7 }, { domain: '7' }],
    ['a bigint for text', { domain: 7n }, { domain: '7' }],
    ['a boolean for text', { domain: true }, { domain: 'true' }],
    ['bytes for text', { domain: Buffer.from('é') }, { domain: 'é' }],
    ['half of a pair for text', { domain: 'a\ud83d' }, { domain: 'a\ufffd' }],
    ['text for an id', { id: '12' }, { id: 12 }],
    ['a bigint for an id', { id: 12n }, { id: 12 }],
    ['an account without a name', { account_id: undefined }, { account_id: null }],
    // Both would be the account of another row.
    ['a fraction for an account', { account_id: 7.5 }, { account_id: null }],
    ['a number that has lost digits for an account', { account_id: 2 ** 53 }, { account_id: null }],
    ['a function for a word', { type: () => SECRET }, { type: 'unknown' }],
    ['an object for text', { domain: { secret: SECRET } }, { domain: '' }],
    ['an object for a word', { type: { secret: SECRET } }, { type: 'unknown' }],
    ['a symbol for a word', { type: Symbol('primary') }, { type: 'unknown' }],
    [
      'a date for a time',
      { updated_at: new Date('2026-06-12T01:02:03.4Z') },
      { updated_at: '2026-06-12T01:02:03+00:00' },
    ],
    ['no date for a time', { updated_at: new Date(Number.NaN) }, { updated_at: null }],
    ['no number for a time', { updated_at: Number.NaN }, { updated_at: null }],
    ['an object for a time', { updated_at: { secret: SECRET } }, { updated_at: null }],
    ['a number for a flag', { dns_managed: 1 }, { dns_managed: true }],
    ['nothing for a flag', { dns_managed: undefined }, { dns_managed: null }],
  ])('with %s is sent as its fields say', async (_what, row, expected) => {
    const { status, body, text } = await answer(row);
    expect(status).toBe(200);
    expect(body.data.items[0]).toMatchObject(expected);
    expect(text).not.toContain(SECRET);
  });

  test.each<[string, object]>([
    ['no number', { id: Number.NaN }],
    ['no whole number', { id: 'one' }],
    ['a fraction', { id: 1.5 }],
    ['a number that has lost digits', { id: 2 ** 53 }],
    ['an object', { id: { secret: SECRET } }],
    // No cursor could continue after it.
    ['a bigint of more than 40 digits', { id: 10n ** 40n }],
  ])('with %s for a number as its id is an error', async (_what, row) => {
    const { status, body } = await answer(row);
    expect([status, body.error]).toEqual([500, { code: 'internal_error' }]);
  });

  test('keeps members secret that the panel did not name as fields', async () => {
    const { body, text } = await answer({
      password: SECRET,
      auth_code: SECRET,
      website_id: 7,
      parent_id: SECRET,
    });
    expect(Object.keys(body.data.items[0])).toEqual(expect.not.arrayContaining(['website_id', 'parent_id']));
    expect(text).not.toContain(SECRET);
  });

  test('keeps what is beside the text in the members of a list', async () => {
    const users = ['anna', { name: 'zoe', password: SECRET }, () => SECRET];
    databases = { id: 1, name: 'shop', engine: 'mariadb', users };
    const { body, text } = await long.panel.get('/api/v1/databases.php', long.token);
    expect(body.data.items[0]).toMatchObject({ users: ['anna'] });
    expect(text).not.toContain(SECRET);
  });

  test('has a bigint beyond 2^53 in all its digits', async () => {
    const { text } = await answer({ id: 9_007_199_254_740_993n });
    expect(text).toContain('"id":9007199254740993,');
  });
});
