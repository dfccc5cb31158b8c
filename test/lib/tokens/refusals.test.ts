import { InvalidInput } from '../../../index';
import { newToken } from '../../../lib/tokens/tokenFormat';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const DAY = 86_400;
const REQUEST = { name: 'billing', scopes: ['profile.read'] };

const PASTED = `panel_${'A1'.repeat(23)}`;
/** A token of the mount without the prefix that everybody knows. */
const BARE = newToken('pnl').slice('pnl_'.length);

type Tokens = TestPanel['api']['tokens'];

/** What is asked of an active token, the property that is named, and the sentence. */
const REFUSALS: readonly [
  asked: string,
  (tokens: Tokens, id: number) => unknown,
  property: string,
  text: string,
][] = [
  [
    'a token without a request',
    (tokens) => tokens.create(null as never, AUTHOR),
    'name',
    'A new token needs a name and at least one scope.',
  ],
  [
    'a request that is a name',
    (tokens) => tokens.create('billing' as never, AUTHOR),
    'name',
    'A new token needs a name and at least one scope.',
  ],
  [
    'a token with a misspelt property',
    (tokens) => tokens.create({ ...REQUEST, nmae: 'x' } as never, AUTHOR),
    'request',
    'Unknown property nmae. Did you mean name? A new token may have only name, note, scopes, accountId, accountIds, owner, allowedAddresses, rateLimit, expiresAt, expiresInSeconds, idempotencyKey.',
  ],
  [
    'a note of 501 characters',
    (tokens) => tokens.create({ ...REQUEST, note: 'x'.repeat(501) }, AUTHOR),
    'note',
    'The note of a token must be a string of at most 500 characters, without control characters except line breaks.',
  ],
  [
    'a token in a name',
    (tokens) => tokens.create({ ...REQUEST, name: `not ${PASTED}` }, AUTHOR),
    'name',
    'The name of a token must not contain a token.',
  ],
  [
    'a token in a new note',
    (tokens, id) => tokens.update(id, { note: `The old one was\n${PASTED}.` }, AUTHOR),
    'note',
    'The note of a token must not contain a token.',
  ],
  [
    'a token in an account',
    (tokens) => tokens.create({ ...REQUEST, accountId: PASTED }, AUTHOR),
    'accountId',
    'The account of a token must not contain a token.',
  ],
  [
    'an empty place among the accounts',
    (tokens) => tokens.create({ ...REQUEST, accountIds: Object.assign([], { length: 1 }) }, AUTHOR),
    'accountId',
    'The account of a token must be an integer or a string of 1 to 128 characters, without control characters.',
  ],
  [
    'a token without its prefix in a name',
    (tokens) => tokens.create({ ...REQUEST, name: `not x${BARE}1` }, AUTHOR),
    'name',
    'The name of a token must not contain a token.',
  ],
  [
    'a token without its prefix in a new note',
    (tokens, id) => tokens.update(id, { note: `The old one was\n${BARE}.` }, AUTHOR),
    'note',
    'The note of a token must not contain a token.',
  ],
  [
    'a token without its prefix in the account of a duplicate',
    (tokens, id) => tokens.duplicate(id, { accountId: BARE }, AUTHOR),
    'accountId',
    'The account of a token must not contain a token.',
  ],
  [
    'a new key and an expiry that is past',
    (tokens) => tokens.create({ ...REQUEST, expiresAt: 1, idempotencyKey: 'new' }, AUTHOR),
    'expires',
    'The expiry must be in the future.',
  ],
  [
    'a rate limit of 0',
    (tokens) => tokens.create({ ...REQUEST, rateLimit: 0 }, AUTHOR),
    'rateLimit',
    'The rate limit of a token must be a whole number from 1 to 1000000000.',
  ],
  [
    'a misspelt change',
    (tokens, id) => tokens.update(id, { nmae: 'x' } as never, AUTHOR),
    'request',
    'Unknown property nmae. Did you mean name? A change of a token may have only name, note, scopes, accountId, accountIds, owner, allowedAddresses, rateLimit, expiresAt, expiresInSeconds, version.',
  ],
  [
    'a version that is no number',
    (tokens, id) => tokens.update(id, { name: 'x', version: '1' as never }, AUTHOR),
    'version',
    'The version must be a whole number.',
  ],
  [
    'a change of an earlier version',
    (tokens, id) => tokens.update(id, { name: 'x', version: 7 }, AUTHOR),
    'version',
    'Token ID was changed in the meantime.',
  ],
  [
    'a misspelt extension',
    (tokens, id) => tokens.extend(id, { expires: 1 } as never, AUTHOR),
    'request',
    'Unknown property expires. Did you mean expiresAt or expiresInSeconds? An extension may have only expiresAt, expiresInSeconds, version.',
  ],
  [
    'an extension without an expiry',
    (tokens, id) => tokens.extend(id, {}, AUTHOR),
    'expires',
    'An extension needs expiresAt or expiresInSeconds.',
  ],
  [
    'an extension to an earlier expiry',
    (tokens, id) => tokens.extend(id, { expiresInSeconds: 60 }, AUTHOR),
    'expires',
    'The new expiry must be later than the present one.',
  ],
  [
    'a misspelt rotation',
    (tokens, id) => tokens.rotate(id, { graceSeconds: 1, name: 'x' } as never, AUTHOR),
    'request',
    'Unknown property name. A rotation may have only graceSeconds, expiresAt, expiresInSeconds, idempotencyKey.',
  ],
  [
    'a grace of less than 5 minutes',
    (tokens, id) => tokens.rotate(id, { graceSeconds: 299 }, AUTHOR),
    'graceSeconds',
    'The grace period must be from 5 minutes (300 seconds) to 30 days (2592000 seconds). To end a token at once, revoke it.',
  ],
  [
    'a grace of more than 30 days',
    (tokens, id) => tokens.rotate(id, { graceSeconds: 30 * DAY + 1 }, AUTHOR),
    'graceSeconds',
    'The grace period must be from 5 minutes (300 seconds) to 30 days (2592000 seconds). To end a token at once, revoke it.',
  ],
  [
    'a misspelt duplicate',
    (tokens, id) => tokens.duplicate(id, { version: 1 } as never, AUTHOR),
    'request',
    'Unknown property version. A duplicate may have only name, note, scopes, accountId, accountIds, owner, allowedAddresses, rateLimit, expiresAt, expiresInSeconds, idempotencyKey.',
  ],
  [
    'a page of 1,001 tokens',
    (tokens) => tokens.page({ limit: 1001 }),
    'limit',
    'The limit must be a whole number from 1 to 1000.',
  ],
  [
    'a search of 129 characters',
    (tokens) => tokens.page({ search: 'x'.repeat(129) }),
    'search',
    'The search must be a string of at most 128 characters.',
  ],
  [
    'an unknown filter',
    (tokens) => tokens.page({ filter: 'all' as never }),
    'filter',
    'The filter must be one of active, expiring, silent, unused, ended.',
  ],
  [
    'a cursor of another page',
    (tokens) => tokens.page({ cursor: 'x' }),
    'cursor',
    'The cursor is not from a page of these tokens.',
  ],
];

/** C0 with its tab and line ends, DEL, C1, the separators of lines, and what turns the direction of a text around. */
const CONTROLS = [
  ...'\0\u0007\t\n\r\u001b\u007f\u0085\u009b\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
].map((character) => [character.charCodeAt(0).toString(16), character] as const);

/** Characters of names in several languages. The module takes all of them. */
const HARMLESS = 'Zoë שלום\u200f 👩\u200d💻 a\u00a0b';

const ENDED = ['update', 'extend', 'rotate'] as const;

describe('What the tokens refuse', () => {
  let panel: TestPanel;

  beforeAll(async () => {
    panel = await startPanel({ db: (await freshDatabase('sqlite')).knex });
  });

  const create = async () =>
    (await panel.api.tokens.create({ ...REQUEST, expiresInSeconds: DAY }, AUTHOR)).record.id;

  test.each(REFUSALS)('says what is wrong with %s', async (_asked, ask, property, text) => {
    const id = await create();
    const call = ask(panel.api.tokens, id) as Promise<unknown>;
    const error = (await call.catch((thrown) => thrown)) as InvalidInput;
    expect(error).toBeInstanceOf(InvalidInput);
    expect([error.input, error.message.replace(`Token ${id} `, 'Token ID ')]).toEqual([property, text]);
  });

  test.each(CONTROLS)('refuses U+%s in a name and an account', async (_code, character) => {
    const create = (request: object) => panel.api.tokens.create({ ...REQUEST, ...request }, AUTHOR);
    await expect(create({ name: `a${character}b` })).rejects.toMatchObject({
      input: 'name',
      message: 'The name of a token must be a string of at most 128 characters, without control characters.',
    });
    await expect(create({ accountId: `a${character}b` })).rejects.toMatchObject({
      input: 'accountId',
      message:
        'The account of a token must be an integer or a string of 1 to 128 characters, without control characters.',
    });
  });

  test.each(CONTROLS.filter(([, character]) => !'\r\n'.includes(character)))(
    'refuses U+%s in a note',
    async (_code, character) => {
      const call = panel.api.tokens.update(await create(), { note: `a\n${character}b` }, AUTHOR);
      await expect(call).rejects.toMatchObject({
        input: 'note',
        message:
          'The note of a token must be a string of at most 500 characters, without control characters except line breaks.',
      });
    },
  );

  test('accepts line breaks in a note, and letters and pictures of every language', async () => {
    const asked = { ...REQUEST, name: HARMLESS, accountId: HARMLESS, note: `${HARMLESS}\r\n${HARMLESS}` };
    const { record } = await panel.api.tokens.create(asked, AUTHOR);
    expect(record).toMatchObject({ name: HARMLESS, accountId: HARMLESS, note: `${HARMLESS}\n${HARMLESS}` });
  });

  test.each(ENDED)('names the state of a revoked token in "%s"', async (method) => {
    const id = await create();
    await panel.api.tokens.revoke(id, AUTHOR);
    const request = method === 'extend' ? { expiresInSeconds: 2 * DAY } : { graceSeconds: 300 };
    const asked = method === 'update' ? { name: 'x' } : request;
    const call = panel.api.tokens[method](id, asked as never, AUTHOR) as Promise<unknown>;
    const error = (await call.catch((thrown) => thrown)) as InvalidInput;
    const change = method === 'update' || method === 'extend' ? 'changed' : 'rotated';
    expect([error.input, error.message]).toEqual([
      'id',
      `Token ${id} is revoked. Only an active token can be ${change}.`,
    ]);
  });

  test('asks for the expiry of a duplicate of a rotated token', async () => {
    const id = await create();
    await panel.api.tokens.rotate(id, { graceSeconds: 300 }, AUTHOR);
    const error = await panel.api.tokens.duplicate(id, {}, AUTHOR).catch((thrown) => thrown);
    expect([error.input, error.message]).toEqual([
      'expires',
      `Token ${id} was rotated, which ended it early: choose the expiry of the new token.`,
    ]);
  });

  test('names the token that a key has already created', async () => {
    const request = { ...REQUEST, idempotencyKey: 'once' };
    const { record } = await panel.api.tokens.create(request, AUTHOR);
    const error = await panel.api.tokens.create(request, AUTHOR).catch((thrown) => thrown);
    expect([error.input, error.message]).toEqual([
      'idempotencyKey',
      `A request with this idempotency key already created token ${record.id}. A token is shown only once.`,
    ]);
  });

  test('is nothing at the bounds themselves', async () => {
    const { tokens } = panel.api;
    const { record } = await tokens.create({ ...REQUEST, note: 'x'.repeat(500) }, AUTHOR);
    expect(record.note).toHaveLength(500);
    await expect(tokens.rotate(record.id, { graceSeconds: 30 * DAY }, AUTHOR)).resolves.not.toBeNull();
    await expect(tokens.page({ limit: 1000, search: 'x'.repeat(128) })).resolves.toMatchObject({
      tokens: [],
    });
  });
});
