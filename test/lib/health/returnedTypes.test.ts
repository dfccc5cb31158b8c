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
      ['last_login_at', 'MomentCopy'],
      ['nameservers', 'Object'],
    ].map(([field, type]) => ({
      code: 'value_type',
      field,
      sentence: `The field ${field} is null although a value was returned, in 1 of 2 rows, such as "${type}" in the row 1: return text, a number, a boolean or a time in place of this type.`,
    }));
    const checked = await found(rows);
    const warnings = checked?.warnings ?? [];
    expect([checked?.state, checked?.missing]).toEqual(['served', []]);
    expect(warnings).toEqual(expect.arrayContaining(expected));
    expect(warnings.filter(({ code }) => code === 'value_type')).toHaveLength(3);
    const confirmed = await found(rows, ['plan', 'last_login_at', 'nameservers']);
    expect(confirmed?.warnings.filter(({ code }) => code === 'value_type')).toEqual([]);
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
