import { checkSources } from '../../fixture/command/checkSources';
import { describeOneEngine } from '../../fixture/databases';
import { decimal, duration, moment } from '../../fixture/sources/dataLayerValues';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

const SECRET = 'secret-41cc';

describeOneEngine('panel-api check of what a function returns', (engine) => {
  const panels = sourcePanels(engine);
  const found = async (rows: readonly object[], confirm: readonly string[] = []) => {
    const fields = [
      'id',
      'username',
      'status',
      'plan',
      'disk_limit_bytes',
      'last_login_at',
      'nameservers',
    ] as const;
    const accounts = { fields, rows: () => rows as never, confirm: confirm as never };
    const [list] = (await checkSources({ db: panels.knex, sources: { accounts } })).filter(
      ({ resource }) => resource === 'accounts',
    );
    expect(JSON.stringify(list)).not.toContain(SECRET);
    return list;
  };
  const account = (row: object, id = 1) => ({ id: String(id), username: `u${id}`, status: 'active', ...row });

  test('names the field and the type of what it reads as null', async () => {
    const circular: Record<string, unknown> = { secret: SECRET, size: 1n };
    circular.self = circular;
    const rows = [
      account({
        plan: circular,
        last_login_at: moment(Number.NaN),
        nameservers: ['a.example', { [SECRET]: 1 }],
      }),
      account({ plan: 'basic', last_login_at: moment(0, '2026-06-12T00:00:00Z'), nameservers: [1n] }, 2),
    ];
    const expected = [
      ['plan', 'Object'],
      ['last_login_at', 'invalid MomentCopy'],
      ['nameservers', 'Object'],
    ].map(([field, type]) => ({
      code: 'value_type',
      field,
      sentence: `The field ${field} is null although a value was returned, in 1 of 2 rows with a value, such as "${type}" in the row 1: return text, a number, a boolean or a time in place of this type.`,
    }));
    const checked = await found(rows);
    const warnings = checked?.warnings ?? [];
    expect([checked?.state, checked?.missing]).toEqual(['served', []]);
    expect(warnings).toEqual(expect.arrayContaining(expected));
    expect(warnings.filter(({ code }) => code === 'value_type')).toHaveLength(3);
    const confirmed = await found(rows, ['plan', 'last_login_at', 'nameservers']);
    expect(confirmed?.warnings.filter(({ code }) => code === 'value_type')).toEqual([]);
  });

  const sentencesOf = async (rows: readonly object[]) =>
    (await found(rows))?.warnings.map(({ sentence }) => sentence);

  test('names the row beside the first value alone', async () => {
    class Money {}
    const rows = [
      account({ plan: { secret: SECRET } }, 7),
      account({ plan: new Money() }, 8),
      account({ plan: new Date(Number.NaN) }, 9),
    ];
    expect(await sentencesOf(rows)).toEqual([
      expect.stringContaining(
        'in 3 of 3 rows with a value, such as "Object" in the row 7, "Money", "invalid Date": ',
      ),
    ]);
  });

  test('counts the rows with a value of a time that does not exist, without a word of columns', async () => {
    const rows = [account({ last_login_at: '2026-02-30T00:00:00Z' }), account({}, 2)];
    expect(await sentencesOf(rows)).toEqual([
      expect.stringContaining(
        'The field last_login_at is null although a value was returned, in 1 of 1 rows with a value,',
      ),
    ]);
  });

  test('says nothing of a row before the first value that may be shown', async () => {
    const rows = [account({ last_login_at: 'secret' }), account({ last_login_at: '31.12.2026' }, 2)];
    expect(await sentencesOf(rows)).toEqual([
      expect.stringContaining('in 2 of 2 rows with a value, such as "31.12.2026" in the row 2: '),
    ]);
  });

  test.each([
    ['a fraction', 1.5, 'number with a fraction'],
    ['a decimal with a fraction', decimal('1.5'), 'DecimalCopy with a fraction'],
    ['lost digits', 2 ** 53, 'number beyond 2^53'],
  ])('says that a list fails if an id of text has %s', async (_what, id, type) => {
    expect(await found([{ ...account({}), id }])).toMatchObject({
      state: 'failed',
      missing: [`A row has a value of the type ${type} for the field id, which cannot be read.`],
    });
  });

  test('says nothing of values of data layers that are read', async () => {
    const row = account({ disk_limit_bytes: decimal('5000000000'), last_login_at: moment(1781226123456) });
    expect((await found([row, account({}, 2)]))?.warnings).toEqual([]);
  });

  test('says that a list fails if a limit has a type that cannot be read', async () => {
    expect(await found([account({ disk_limit_bytes: duration() })])).toMatchObject({
      state: 'failed',
      missing: [
        'A row has a value of the type DurationCopy for the field disk_limit_bytes, which cannot be read.',
      ],
    });
  });
});
