import { laterBy } from '../../../fixture/laterBy';
import {
  decimal,
  decimal128,
  duration,
  long,
  moment,
  objectId,
  throwing,
} from '../../../fixture/sources/dataLayerValues';
import { type FunctionPanel, startFunctionPanel } from '../../../fixture/streams/functionPanel';
import { DOMAINS } from '../../../fixture/streams/longPanel';
import { rowOf } from '../../../fixture/streams/longTable';

const SECRET = 'secret-51cc';

describe('A row that a function of the panel returns', () => {
  let served: FunctionPanel;
  let databases: object;
  let accounts: object;

  beforeAll(async () => {
    const sources = {
      databases: { rows: () => [databases] as never, fields: ['id', 'name', 'engine', 'users'] as const },
      accounts: {
        rows: () => [{ id: 1, username: 'anna', status: 'active', role: 'customer', ...accounts }] as never,
        fields: [
          'id',
          'username',
          'email',
          'disk_used_bytes',
          'disk_limit_bytes',
          'plan',
          'two_factor_enabled',
        ] as const,
        ids: 'integer' as const,
      },
    };
    served = await startFunctionPanel(3000, sources, [
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
    served.setRows(() => [{ ...rowOf(1), ...row }] as never);
    return served.panel.get(DOMAINS, served.token);
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
    ['a decimal for an account', { account_id: decimal('7') }, { account_id: 7 }],
    ['a Long for an account', { account_id: long(-7n) }, { account_id: -7 }],
    ['an ObjectId for an account', { account_id: objectId() }, { account_id: '65f000000000000000000001' }],
    ['a decimal for an id', { id: decimal('12') }, { id: 12 }],
    ['a decimal for a flag', { dns_managed: decimal('1') }, { dns_managed: true }],
    ['a decimal for text', { domain: decimal('1.50') }, { domain: '1.50' }],
    [
      'a moment for a time',
      { updated_at: moment(1781226123456) },
      { updated_at: '2026-06-12T01:02:03+00:00' },
    ],
    [
      'a moment of another zone for a time',
      { updated_at: moment(0, '2026-06-12T03:02:03.400+02:00') },
      { updated_at: '2026-06-12T01:02:03+00:00' },
    ],
    ['no moment for a time', { updated_at: moment(Number.NaN) }, { updated_at: null }],
    ['a length of time for a time', { updated_at: duration() }, { updated_at: null }],
    ['an object for an account', { account_id: { secret: SECRET } }, { account_id: null }],
    ['a decimal with a fraction for an account', { account_id: decimal('7.5') }, { account_id: null }],
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
    ['a fraction of a decimal', { id: decimal('1.5') }],
    ['a fraction as text', { id: '1.5' }],
    ['a small decimal', { id: decimal('1e-7') }],
    ['a number that has lost digits', { id: 2 ** 53 }],
    ['an object', { id: { secret: SECRET } }],
    // No cursor could continue after it.
    ['a bigint of more than 40 digits', { id: 10n ** 40n }],
  ])('with %s for a number as its id is an error', async (_what, row) => {
    const { status, body } = await answer(row);
    expect([status, body.error]).toEqual([500, { code: 'internal_error' }]);
  });

  test.each<[string, object, string]>([
    ['a function for a word', { type: () => SECRET }, 'function'],
    ['an object for text', { domain: { secret: SECRET } }, 'Object'],
    ['an array for text', { domain: [SECRET] }, 'Array'],
    ['a symbol for a word', { type: Symbol('primary') }, 'symbol'],
    ['a promise for a word', { type: Promise.resolve(SECRET) }, 'Promise'],
    ['no number for a word', { type: Number.NaN }, 'NaN'],
    ['no date for a word', { type: new Date(Number.NaN) }, 'invalid Date'],
    ['no moment for a word', { type: moment(Number.NaN) }, 'invalid MomentCopy'],
    ['no number of a decimal for a word', { type: decimal('NaN') }, 'invalid DecimalCopy'],
    ['a decimal of 41 digits for a word', { type: decimal('1e+40') }, 'DecimalCopy of more than 40 digits'],
    ['a decimal of 1001 digits', { type: decimal('1.5e+1000') }, 'DecimalCopy of more than 40 digits'],
    ['no number for an id', { id: Number.NaN }, 'NaN'],
    ['a fraction for an id', { id: 1.5 }, 'number with a fraction'],
    ['a number that has lost digits for an id', { id: 2 ** 53 + 2 }, 'number beyond 2^53'],
    ['a decimal with a fraction for an id', { id: decimal('1.5') }, 'DecimalCopy with a fraction'],
    ['an object for an id', { id: { secret: SECRET } }, 'Object'],
  ])('with %s that must not be null is an error that names field and type', async (_what, row, type) => {
    const before = (await served.panel.requestLines(0)).length;
    const { status, body, text } = await answer(row);
    expect([status, body.error]).toEqual([500, { code: 'internal_error' }]);
    const line = (await served.panel.requestLines(before + 1))[before];
    expect(line?.fields).toMatchObject({
      cause: 'UnreadableRow',
      cause_field: Object.keys(row)[0],
      cause_type: type,
    });
    expect(text + JSON.stringify(line)).not.toContain(SECRET);
  });

  const account = async (row: object) => {
    accounts = row;
    return served.panel.get('/api/v1/accounts.php', served.token);
  };

  test.each<[string, unknown, string]>([
    ['a decimal', decimal('10'), '10'],
    ['a decimal with a fraction', decimal('10.5'), '11'],
    ['a decimal with an exponent', decimal('9.007199254740993e+15'), '9007199254740993'],
    ['a decimal with a fraction and an exponent', decimal('1.5e-7'), '0'],
    ['a decimal that means no limit', decimal('-1'), 'null'],
    ['a Long', long(9_007_199_254_740_993n), '9007199254740993'],
    ['a Long of MongoDB', long(10n, 'Long'), '10'],
    ['a Decimal128', decimal128('10'), '10'],
    ['a Decimal128 with an exponent', decimal128('9.007199254740993E+16'), '90071992547409930'],
    ['a number of MongoDB', { _bsontype: 'Int32', toJSON: () => 10 }, '10'],
    ['nothing', undefined, 'null'],
  ])('has %s as a limit in all its digits', async (_what, limit, expected) => {
    const { status, text } = await account({ disk_limit_bytes: limit });
    expect(status).toBe(200);
    expect(text).toContain(`"disk_limit_bytes":${expected},`);
  });

  test.each<[string, unknown]>([
    ['a decimal that is no number', decimal('NaN')],
    ['a decimal without end', decimal('Infinity')],
    ['a Decimal128 that is no number', decimal128('NaN')],
    ['a timestamp of MongoDB', long(10n, 'Timestamp')],
    ['a length of time', duration()],
    ['a decimal of more than 40 digits', decimal('1e308')],
    ['a decimal that throws', throwing()],
    ['an object', { bytes: 10 }],
    ['no number', Number.NaN],
  ])('with %s as a limit is an error, because null means no limit', async (_what, limit) => {
    const { status, body } = await account({ disk_limit_bytes: limit });
    expect([status, body.error]).toEqual([500, { code: 'internal_error' }]);
  });

  test('that is null for its type is logged once an hour for each field, without the value', async () => {
    laterBy(3_600_000);
    const lines = () =>
      served.panel.log
        .filter(({ message }) => message === 'panel-api value not read')
        .map(({ fields }) => fields);
    const before = lines().length;
    const row = { plan: { secret: SECRET }, two_factor_enabled: duration(), email: throwing() };
    for (const _ of [1, 2]) expect((await account(row)).body.data.items[0]).toMatchObject({ plan: null });
    const expected = [
      { list: 'accounts', field: 'email', type: 'ThrowingCopy' },
      { list: 'accounts', field: 'plan', type: 'Object' },
      { list: 'accounts', field: 'two_factor_enabled', type: 'DurationCopy' },
    ];
    expect(lines().slice(before)).toEqual(expected);
    laterBy(3_600_000);
    await account(row);
    expect(lines().slice(before)).toEqual([...expected, ...expected]);
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
    const { body, text } = await served.panel.get('/api/v1/databases.php', served.token);
    expect(body.data.items[0]).toMatchObject({ users: ['anna'] });
    expect(text).not.toContain(SECRET);
  });

  test('has a bigint beyond 2^53 in all its digits', async () => {
    const { text } = await answer({ id: 9_007_199_254_740_993n });
    expect(text).toContain('"id":9007199254740993,');
  });
});
