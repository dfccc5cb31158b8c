import { describeOneEngine } from '../../../fixture/databases';
import { decimal } from '../../../fixture/sources/dataLayerValues';
import { BESIDE } from '../../../fixture/sources/descriptions';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

const SECRET = 'secret-93aa';

const HELD = {
  whole: { column: 'integer', holds: 5, given: 5 },
  huge: { column: 'bigInteger', holds: '9007199254740993', given: 9007199254740993n },
  small: { column: 'tinyint', holds: 1, given: 1 },
  yes: { column: 'boolean', holds: true, given: 1 },
  no: { column: 'boolean', holds: false, given: 0 },
  word: { column: 'string', holds: ' y ', given: ' y ' },
  day: { column: 'date', holds: '2026-06-12', given: '2026-06-12T00:00:00+00:00' },
  moment: { column: 'datetime', holds: '2026-06-12 01:02:03', given: '2026-06-12T01:02:03+00:00' },
  none: { column: 'integer', holds: null, given: null },
} as const;

const WRONG: Readonly<Record<string, () => unknown>> = {
  'an object': () => ({ a: SECRET }),
  'no number': () => Number.NaN,
  'an invalid date': () => new Date(Number.NaN),
  'a promise': async () => SECRET,
  'a promise that fails': async () => Promise.reject(new Error(SECRET)),
  'a symbol': () => Symbol(SECRET),
  'a function': () => () => SECRET,
  undefined: () => undefined,
};

describeOneEngine("A function of the panel's", (engine) => {
  const panels = sourcePanels(engine);
  const mailboxes = (fields: object) =>
    panels.start({ email: { table: 'panel_rows', fields: { ...BESIDE.email, ...fields } } });

  test('receives the values of its columns, of the same types from every database', async () => {
    const entries = Object.entries(HELD);
    await panels.table(
      'panel_rows',
      Object.fromEntries(entries.map(([name, { column }]) => [name, column])),
      [Object.fromEntries(entries.map(([name, { holds }]) => [name, holds]))],
    );
    const given: unknown[] = [];
    const { items } = await mailboxes({
      account_id: {
        columns: Object.fromEntries(entries.map(([name]) => [name, name])),
        compute: (raw: unknown) => {
          given.push(raw);
          return 'x';
        },
      },
    });
    await items('email');
    expect(given).toEqual([Object.fromEntries(entries.map(([name, { given }]) => [name, given]))]);
  });

  test.each(Object.keys(WRONG))('that returns %s leads to null', async (name) => {
    await panels.table('panel_rows', { v: 'integer' }, [{ v: 1 }]);
    const from = WRONG[name];
    const described = { column: 'v', from };
    const { items } = await mailboxes({
      account_id: described,
      domain: { ...described },
      used_bytes: described,
      keep_copy: described,
      last_login_at: described,
      forward_to: described,
    });
    expect(await items('email')).toEqual([
      {
        id: 1,
        address: 'a@b.example',
        domain: 'b.example',
        account_id: null,
        type: 'mailbox',
        status: 'active',
        used_bytes: null,
        forward_to: [],
        keep_copy: null,
        last_login_at: null,
      },
    ]);
  });

  test.each(Object.keys(WRONG).filter((name) => name !== 'undefined'))(
    'that returns %s for a required field or a limit is an error',
    async (name) => {
      await panels.table('panel_rows', { v: 'integer' }, [{ v: 1 }]);
      for (const field of ['status', 'quota_bytes', 'send_limit_per_day']) {
        const { get, panel } = await mailboxes({ [field]: { column: 'v', from: WRONG[name] } });
        const { status, body } = await get('email.php');
        expect([status, body.error.code]).toEqual([500, 'internal_error']);
        const [line] = await panel.requestLines(1);
        expect(line?.fields).toMatchObject({ cause: 'UnreadableRow', cause_field: field });
        expect(JSON.stringify(panel.log)).not.toContain(SECRET);
      }
    },
  );

  test.each([
    ['quota_bytes', decimal('1024'), 1024],
    ['quota_bytes', '1024', 1024],
    ['quota_bytes', 1024n, 1024],
    ['quota_bytes', -1, null],
    ['last_login_at', new Date('2026-06-12T00:00:00Z'), '2026-06-12T00:00:00+00:00'],
    ['last_login_at', 1781222400, '2026-06-12T00:00:00+00:00'],
    ['forward_to', ['a@x.example', { b: 1 }, null, 'c@x.example'], ['a@x.example', 'c@x.example']],
    ['forward_to', 'a@x.example b@x.example', ['a@x.example', 'b@x.example']],
    ['account_id', 7n, 7],
    ['account_id', '7', '7'],
    ['keep_copy', 'yes', true],
    ['status', 5, '5'],
  ])('for %s may return %p', async (field, value, expected) => {
    await panels.table('panel_rows', { v: 'integer' }, [{ v: 1 }]);
    const { items } = await mailboxes({ [field]: { column: 'v', from: () => value } });
    expect((await items('email'))[0][field]).toEqual(expected);
  });

  test.each([
    ['from', { column: 'v', from: throwing }],
    ['compute', { columns: { v: 'v' }, compute: throwing }],
  ])('that throws as %s answers 500, and the log says where without the message', async (_, status) => {
    await panels.table('panel_rows', { v: 'integer' }, [{ v: 1 }]);
    const { get, panel } = await mailboxes({ status });
    const answer = await get('email.php');
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error']);
    const [line] = await panel.requestLines(1);
    expect(line?.fields).toMatchObject({
      cause: 'RangeError',
      cause_at: expect.stringContaining('functions.test.ts'),
    });
    expect(answer.text + JSON.stringify(panel.log)).not.toContain(SECRET);
  });
});

function throwing(): never {
  throw new RangeError(SECRET);
}
