import { inspect } from 'node:util';
import { PanelApiError } from '../../client';
import { answer, failure as failed, startServer } from '../fixture/clientServer';

const failure = failed<PanelApiError>;

const SECRET = 'a1B2c3D4e5'.repeat(5).slice(0, 46);
const ECHOED = `Unknown token pnl_${SECRET}x.`;
const TERMINAL = '\u001b[2J\u0007\u009b31m\u202e\u2028\r\n\0';
const LONG = 'long '.repeat(200_000);

const refused = (error: object, message: unknown = 'No.', headers = {}) =>
  startServer(answer(400, { success: false, message, error }, headers));

const errorOf = async (...given: Parameters<typeof refused>) =>
  failure((await refused(...given)).client({ token: `pnl_${SECRET}` }).me());

describe('A refusal with a hostile message', () => {
  test.each([
    ['an object', { toString: 1 }],
    ['an object with a sentence', { toString: 'x', message: 'x' }],
    ['an array', ['x']],
    ['a number', 1e300],
    ['a flag', true],
    ['null', null],
  ])('that is %s is in another form', async (_what, message) => {
    const error = await errorOf({ code: 'not_found' }, message);
    expect(error).toBeInstanceOf(PanelApiError);
    expect([error.message, error.code, error.status]).toEqual([
      'The answer is not in the form of the API.',
      null,
      400,
    ]);
  });

  test('is one line without control characters', async () => {
    const { message } = await errorOf({ code: 'not_found' }, `Unknown${TERMINAL}endpoint.`);
    expect(message).toMatch(/^Unknown \[2J 31m endpoint\.$/);
  });

  test('is cut', async () => {
    const { message } = await errorOf({ code: 'not_found' }, LONG);
    expect([message.length, message.endsWith('…')]).toEqual([1001, true]);
  });

  test('that repeats the token does not show it', async () => {
    const error = await errorOf({ code: 'token_unknown' }, ECHOED);
    expect(error.message).toBe('Unknown token pnl_….');
  });
});

test.each([
  { toString: 1 },
  ['not_found'],
  5,
  true,
  null,
  undefined,
  '',
  'x'.repeat(100),
  'A b',
  `pnl_${SECRET}`,
])('A refusal with the code %j is in another form', async (code) => {
  const { message, details, ...error } = await errorOf({ code, parameter: 'x' });
  expect([message, error.code, details]).toEqual(['The answer is not in the form of the API.', null, {}]);
});

describe('The details of a refusal', () => {
  const texts = ['parameter', 'expected', 'field', 'required_scope', 'address', 'reason'] as const;
  const lists = ['allowed', 'supported'] as const;

  test.each(texts)('have %s as one short line without control characters and tokens', async (name) => {
    const { details } = await errorOf({ code: 'query_invalid', [name]: `${ECHOED}${TERMINAL}${LONG}` });
    expect(details[name]).toMatch(/^Unknown token pnl_…\. \[2J 31m long [long ]+…$/);
    expect(details[name]).toHaveLength(1001);
  });

  test.each(lists)('have %s as a list of such lines', async (name) => {
    const words = [ECHOED, `a${TERMINAL}b`, LONG, { toString: 1 }, 5, null, ...Array(5000).fill('x')];
    const { details } = await errorOf({ code: 'query_invalid', [name]: words });
    const shown = details[name] ?? [];
    expect(shown.slice(0, 2)).toEqual(['Unknown token pnl_….', 'a [2J 31m b']);
    expect([shown[2]?.length, shown[3], shown.length]).toEqual([1001, 'x', 997]);
  });

  test.each<readonly [string, unknown]>([
    ...texts.flatMap((name) => [{ toString: 1 }, 5, ['x'], null].map((value) => [name, value] as const)),
    ...lists.flatMap((name) => [{ length: 1 }, 5, 'x', null].map((value) => [name, value] as const)),
    ...[{}, ['x'], '5', null].map((value) => ['retry_after', value] as const),
    ['unknown', 'x'],
    ['toString', 'x'],
  ])('have no %s that is %j', async (name, value) => {
    expect((await errorOf({ code: 'query_invalid', [name]: value })).details).toEqual({});
  });
});

test.each([`pnl_${SECRET}`, 'x y', '\u009b31m', 'x'.repeat(129)])(
  'The id of a request cannot be %j',
  async (id) => {
    const headers = { 'X-Request-Id': id };
    expect((await errorOf({ code: 'not_found' }, 'No.', headers)).requestId).toBeNull();
    const { client } = await startServer(answer(502, '<html>', headers));
    expect((await failure(client().me())).requestId).toBeNull();
  },
);

test('Nothing of a hostile refusal reaches a terminal that shows the whole error', async () => {
  const hostile = `${ECHOED}${TERMINAL}`;
  const members = ['parameter', 'expected', 'field', 'reason'].map((name) => [name, hostile]);
  const error = await errorOf({ code: 'query_invalid', ...Object.fromEntries(members) }, hostile);
  const lines = inspect(error, { depth: 9, showHidden: true }).replaceAll('\n', '');
  expect(lines).not.toMatch(/[\p{Cc}\u202e]|a1B2c3/u);
});

test.each([-1, 1.5, 1e300, '5', null, [], { toString: 1 }, undefined])(
  'A count of %j rows is in another form',
  async (total) => {
    const { client } = await startServer(answer(200, { success: true, message: '', data: { total } }));
    const error = await failure(client().jobs.count());
    expect([error.name, error.message]).toEqual([
      'PanelApiError',
      'The answer is not in the form of the API.',
    ]);
  },
);

test('A whole number of many digits is no text of its digits', async () => {
  const body = `{"success":true,"message":"","data":{"total":${'9'.repeat(2 ** 20)}}}`;
  const { client } = await startServer(answer(200, body));
  expect((await failure(client().jobs.count())).message).toBe('The answer is not in the form of the API.');
});

test.each([5, true, 'x', null, [1], {}, { id: null }, { id: { toString: 1 } }, { id: [1] }, { key: 1 }])(
  'A page with the row %j is in another form',
  async (item) => {
    const data = { items: [{ id: 1 }, item], next_cursor: null };
    const { client } = await startServer(answer(200, { success: true, message: '', data }));
    expect((await failure(client().jobs.page())).message).toBe('The answer is not in the form of the API.');
    expect((await failure(client().jobs.get('1'))).message).toBe('The answer is not in the form of the API.');
  },
);
